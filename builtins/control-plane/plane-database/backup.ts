// Writes all rows of a control plane to one file, read in one snapshot. PostgreSQL and the embedded database use the same format.
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { untilAborted } from '#lib/async';
import type { Connection } from './connection.ts';
import type { Query } from './contract.ts';
import { createBackupWriter, formatName, type BackupHead } from './backup-format.ts';

export interface BackupResult {
  readonly tables: number;
  readonly rows: number;
  readonly bytes: number;
}

const rowsAtOnce = 200;

/** Writes the file atomically with mode 0600. @param version version of the program, to be stored in the backup */
export async function writeBackup(connection: Connection, path: string, version: string): Promise<BackupResult> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const file = createWriteStream(temporary, { mode: 0o600 });
    const gzip = createGzip({ level: 6 });
    gzip.pipe(file);
    const done = finished(file);
    const over = new AbortController();
    done.catch((fault: unknown) => over.abort(fault));
    const write = async (text: string): Promise<void> => {
      if (!gzip.write(text)) await untilAborted(once(gzip, 'drain'), over.signal);
    };
    const counts = await connection.transaction((transaction) => writeRows(transaction, write, { kind: connection.kind, version }), { isLong: true });
    gzip.end();
    await done;
    const written = await open(temporary, 'r+');
    await written.sync();
    const { size } = await written.stat();
    await written.close();
    await rename(temporary, path);
    return { ...counts, bytes: size };
  } finally {
    await rm(temporary, { force: true });
  }
}

async function writeRows(
  transaction: Query,
  write: (text: string) => Promise<void>,
  { kind, version }: { readonly kind: string; readonly version: string },
): Promise<Pick<BackupResult, 'tables' | 'rows'>> {
  await transaction.query('set transaction isolation level repeatable read, read only');
  const writer = createBackupWriter(write);
  const [server] = await transaction.query<{ version: string }>(`select current_setting('server_version') as version`);
  const migrations = await transaction.query<BackupHead['migrations'][number]>('select plugin, number, name from plane_migration order by at, plugin, number');
  await writer.mark({
    head: { format: formatName, formatVersion: 1, version, at: new Date().toISOString(), database: { kind, version: server?.version ?? '' }, migrations },
  });
  let rows = 0;
  const tables = await findTables(transaction);
  for (const { name, columns } of tables) {
    await writer.mark({ table: name, columns });
    const count = await writeTable(transaction, name, columns, (json) => writer.row(json));
    await writer.mark({ rows: count, of: name });
    rows += count;
  }
  const sequences = await transaction.query<{ name: string; last: string; is_called: boolean }>(
    `select sequencename as name, coalesce(last_value, start_value)::text as last, last_value is not null as is_called
     from pg_sequences where schemaname = current_schema() order by 1`,
  );
  await writer.mark({ sequences: sequences.map(({ name, last, is_called: isCalled }) => ({ name, last, isCalled })) });
  await writer.end();
  return { tables: tables.length, rows };
}

/** Returns the control plane's tables, without the table of migrations and without generated columns. */
export function findTables(on: Query): Promise<{ name: string; columns: string[] }[]> {
  return on.query(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and c.relname <> 'plane_migration'
     group by c.relname order by c.relname`,
  );
}

async function writeTable(transaction: Query, table: string, columns: readonly string[], row: (json: string) => Promise<void>): Promise<number> {
  const list = columns.map(quote).join(', ');
  await transaction.query(`declare backup_rows no scroll cursor for select to_jsonb(one)::text as json from (select ${list} from ${quote(table)}) one`);
  let count = 0;
  for (;;) {
    const rows = await transaction.query<{ json: string }>(`fetch ${rowsAtOnce} from backup_rows`);
    for (const { json } of rows) await row(json);
    count += rows.length;
    if (rows.length < rowsAtOnce) break;
  }
  await transaction.query('close backup_rows');
  return count;
}

/** Quotes an SQL identifier. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
