// Restores a backup of a control plane into its database in one transaction. The backup may be from an older version.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { messageOf } from '#lib/errors';
import { findTables, quote } from './backup.ts';
import { readBackup, type BackupHead, type BackupLine } from './backup-format.ts';
import type { Connection, MakeError } from './connection.ts';
import type { Query, RestoreFacts, RestoreStep } from './contract.ts';
import { applySteps, createMigrationTable, findDue, lockMigrations } from './migrate.ts';
import type { OwnedMigration } from './migration-list.ts';

export interface RestoreParts {
  readonly connection: Connection;
  readonly path: string;
  readonly steps: readonly OwnedMigration[];
  readonly restoreSteps: readonly RestoreStep[];
  /** Whether to delete the existing content. */
  readonly replaces: boolean;
  readonly isSignOut: boolean;
  readonly makeError: MakeError;
}

export interface RestoreResult {
  readonly head: BackupHead;
  readonly rows: number;
  /** Number of applied steps that are newer than the backup. */
  readonly applied: number;
}

const rowsAtOnce = 200;
/** Maximum length of the text of one statement; a longer row is inserted in a separate statement. */
const textAtOnce = 4_000_000;

/** Restores a backup. Rejects with `BACKUP`, `NEWER` or `NOT_EMPTY`; nothing changes in these cases. */
export async function restoreBackup({ connection, path, steps, restoreSteps, replaces, isSignOut, makeError }: RestoreParts): Promise<RestoreResult> {
  const unreadable = (fault: unknown): Error => makeError('BACKUP', { path, why: messageOf(fault) }, fault);
  // Reads the whole backup before changing anything.
  const head = await checkWhole(path).catch((fault: unknown) => {
    throw unreadable(fault);
  });
  if (head.formatVersion !== 1) throw unreadable(new Error('it was created by a newer version of the program'));
  const known = new Set(steps.map(({ plugin, number }) => `${plugin} ${number}`));
  const missing = head.migrations.find(({ plugin, number }) => !known.has(`${plugin} ${number}`));
  if (missing) throw makeError('NEWER', { ...missing });
  const inBackup = new Set(head.migrations.map(({ plugin, number }) => `${plugin} ${number}`));
  const isOld = ({ plugin, number }: OwnedMigration): boolean => inBackup.has(`${plugin} ${number}`);

  return connection.transaction(
    async (transaction) => {
      await lockMigrations(transaction);
      const tables = await findTables(transaction);
      if (tables.length > 0 && !replaces) throw makeError('NOT_EMPTY');
      const isOfThisVersion = tables.length > 0 && (await findDue(transaction, steps, makeError).then(isEmpty, isFalse));
      const kept = new Map<RestoreStep, unknown>();
      if (isOfThisVersion) for (const step of restoreSteps) kept.set(step, await step.keep?.(transaction));
      await dropAll(transaction);
      await createMigrationTable(transaction);
      // Creates the tables as they were at the time of the backup, so that later steps also migrate the rows.
      await applySteps(transaction, steps.filter(isOld), makeError);
      const rows = await load(transaction, path);
      const later = steps.filter((step) => !isOld(step));
      await applySteps(transaction, later, makeError);
      const facts: RestoreFacts = { at: head.at, isSignOut };
      for (const step of restoreSteps) await step.apply(transaction, facts, kept.get(step));
      return { head, rows, applied: later.length };
    },
    { isLong: true },
  );
}

const isEmpty = (steps: readonly unknown[]): boolean => steps.length === 0;
/** Used when `findDue` rejects, because a newer version created the existing data. */
const isFalse = (): boolean => false;

async function checkWhole(path: string): Promise<BackupHead> {
  let head: BackupHead | undefined;
  for await (const line of linesOf(path)) if ('mark' in line && 'head' in line.mark) head = line.mark.head;
  return head as BackupHead;
}

function linesOf(path: string): AsyncIterable<BackupLine> {
  const file = createReadStream(path);
  const text = file.pipe(createGunzip());
  file.once('error', (fault) => text.destroy(fault));
  return readBackup(createInterface({ input: text, crlfDelay: Infinity }));
}

/** Drops objects that migrations created, but no objects of extensions. */
async function dropAll(transaction: Query): Promise<void> {
  const found = await transaction.query<{ drop: string }>(
    `select format('drop %s if exists %s cascade', case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end, c.oid::regclass) as drop
       from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S') and ${isOwn('pg_class', 'c')}
       and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i') and d.refobjsubid > 0)
     union all
     select format('drop routine if exists %s cascade', p.oid::regprocedure) from pg_proc p where p.pronamespace = current_schema()::regnamespace and ${isOwn('pg_proc', 'p')}
     union all
     select format('drop type if exists %s cascade', t.oid::regtype) from pg_type t
       where t.typnamespace = current_schema()::regnamespace and t.typtype in ('e', 'd') and ${isOwn('pg_type', 't')}`,
  );
  for (const { drop } of found) await transaction.query(drop);
}

function isOwn(catalog: string, alias: string): string {
  return `not exists (select 1 from pg_depend d where d.classid = '${catalog}'::regclass and d.objid = ${alias}.oid and d.deptype = 'e')`;
}

async function load(transaction: Query, path: string): Promise<number> {
  const keys = await disableConstraints(transaction);
  let rows = 0;
  let batch: string[] = [];
  let length = 0;
  let put: (rows: readonly string[]) => Promise<void> = () => Promise.resolve();
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await put(batch);
    rows += batch.length;
    batch = [];
    length = 0;
  };
  for await (const line of linesOf(path)) {
    if ('row' in line) {
      batch.push(line.row);
      length += line.row.length;
      if (batch.length >= rowsAtOnce || length >= textAtOnce) await flush();
    } else if ('table' in line.mark) {
      const table = quote(line.mark.table);
      const columns = line.mark.columns.map(quote).join(', ');
      // Deletes the rows that a migration inserted, because the backup contains their later state.
      await transaction.query(`delete from ${table}`);
      put = async (given) => {
        const sql = `insert into ${table} (${columns}) overriding system value select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)`;
        await transaction.query(sql, [`[${given.join(',')}]`]);
      };
    } else if ('rows' in line.mark) {
      await flush();
    } else if ('sequences' in line.mark) {
      for (const { name, last, isCalled } of line.mark.sequences) {
        await transaction.query('select setval($1::text::regclass, $2::text::bigint, $3)', [quote(name), last, isCalled]);
      }
    }
  }
  for (const sql of keys) await transaction.query(sql);
  return rows;
}

/** Disables foreign keys and triggers, because rows are inserted in any order. Returns the statements that restore both. */
async function disableConstraints(transaction: Query): Promise<readonly string[]> {
  const found = await transaction.query<{ off: string; on: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as off,
            format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as "on"
       from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace and conparentid = 0
     union all
     select distinct format('alter table %s disable trigger user', tgrelid::regclass), format('alter table %s enable trigger user', tgrelid::regclass)
       from pg_trigger t join pg_class c on c.oid = t.tgrelid where not tgisinternal and c.relnamespace = current_schema()::regnamespace`,
  );
  for (const { off } of found) await transaction.query(off);
  return found.map(({ on }) => on);
}
