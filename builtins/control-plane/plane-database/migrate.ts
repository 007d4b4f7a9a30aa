// Migrates the tables to what the plugins expect: all due steps, or none.
import { messageOf } from '#lib/errors';
import type { Connection, MakeError } from './connection.ts';
import type { Query } from './contract.ts';
import type { OwnedMigration } from './migration-list.ts';

/** Two nodes that start together take turns. The number is arbitrary; nothing else takes advisory locks of this kind. */
const lock = 7_310_442;

export type Step = Pick<OwnedMigration, 'plugin' | 'number' | 'name'>;

export interface MigrateOptions {
  /** Everything is done and rolled back. */
  readonly isRehearsal?: boolean;
  /** Nothing is done, only checked. */
  readonly isLook?: boolean;
}

/**
 * Resolves with the due steps. Rejects with `MIGRATION` if one fails, with `NEWER` if the database contains steps that are unknown here; nothing
 * is changed then.
 */
export async function migrate(
  connection: Connection,
  steps: readonly OwnedMigration[],
  makeError: MakeError,
  { isRehearsal = false, isLook = false }: MigrateOptions = {},
): Promise<readonly Step[]> {
  const takenBack = new Error('taken back');
  let due: readonly OwnedMigration[] = [];
  try {
    await connection.transaction(
      async (transaction) => {
        await lockMigrations(transaction);
        due = await findDue(transaction, steps, makeError);
        if (!isLook) await applySteps(transaction, due, makeError);
        if (isLook || isRehearsal) throw takenBack;
      },
      { isLong: true },
    );
  } catch (fault) {
    if (fault !== takenBack) throw fault;
  }
  return due.map(({ plugin, number, name }) => ({ plugin, number, name }));
}

/** Waits for other migrations; they wait until the transaction ends. */
export async function lockMigrations(transaction: Query): Promise<void> {
  await transaction.query('select pg_advisory_xact_lock($1)', [lock]);
}

/** The table of applied migrations; created if there is none. */
export async function createMigrationTable(transaction: Query): Promise<void> {
  await transaction.query(
    `create table if not exists plane_migration (
      plugin text not null, number int not null, name text not null, at timestamptz not null default now(), primary key (plugin, number)
    )`,
  );
}

/** Returns those that were not applied yet, in their order; rejects with `NEWER`. */
export async function findDue(transaction: Query, steps: readonly OwnedMigration[], makeError: MakeError): Promise<readonly OwnedMigration[]> {
  await createMigrationTable(transaction);
  const applied = await transaction.query<Step>('select plugin, number, name from plane_migration', []);
  const known = new Set(applied.map(keyOf));
  const here = new Set(steps.map(keyOf));
  // A plugin that is left out keeps its tables; one that is present and older than its tables would misread them.
  const newer = applied.find((one) => !here.has(keyOf(one)) && steps.some(({ plugin }) => plugin === one.plugin));
  if (newer) throw makeError('NEWER', { ...newer });
  return steps.filter((one) => !known.has(keyOf(one)));
}

export async function applySteps(transaction: Query, due: readonly OwnedMigration[], makeError: MakeError): Promise<void> {
  for (const { plugin, number, name, sql } of due) {
    try {
      await transaction.query(sql);
    } catch (fault) {
      throw makeError('MIGRATION', { plugin, number, name, why: messageOf(fault) }, fault);
    }
    await transaction.query('insert into plane_migration (plugin, number, name) values ($1, $2, $3)', [plugin, number, name]);
  }
}

function keyOf({ plugin, number }: Pick<Step, 'plugin' | 'number'>): string {
  return `${plugin} ${number}`;
}
