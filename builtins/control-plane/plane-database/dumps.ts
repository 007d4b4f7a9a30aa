// Writes automatic backups of the embedded database, which a power failure can destroy.
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '#lib/errors';
import type { Connection } from './connection.ts';

export interface Dumps {
  /** Skips the backup if nothing was written since the last backup. */
  dump(connection: Connection): Promise<void>;
}

/** Creates the backup writer, which keeps the two newest files in the folder. @param version version of the program */
export function createDumps(folder: string, version: string): Dumps {
  const [latest, previous] = ['latest.backup', 'previous.backup'].map((name) => join(folder, name)) as [string, string];
  let last = '';
  let working: Promise<void> | undefined;

  async function dump(connection: Connection): Promise<void> {
    const [row] = await connection.query<{ at: string }>('select pg_current_wal_insert_lsn()::text as at');
    if (row?.at === last) return;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { writeBackup } = await import('./backup.ts');
    const made = `${latest}.new`;
    await writeBackup(connection, made, version);
    await rename(latest, previous).catch((fault: unknown) => {
      if (!isMissing(fault)) throw fault;
    });
    await rename(made, latest);
    last = row?.at ?? '';
  }

  return {
    dump: (connection) => (working ??= dump(connection).finally(() => (working = undefined))),
  };
}
