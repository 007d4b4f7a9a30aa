// Implements the operator's CLI commands for the database: migrate, backup, restore.
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CliCommand } from 'agent-harness/plugins/commands';
import { applicationName, type Connection, type MakeError } from './connection.ts';
import type { RestoreStep } from './contract.ts';
import type { OwnedMigration } from './migration-list.ts';

export interface CommandParts {
  /** Opens the database without migrating it; the caller must close it. */
  readonly openAsIs: () => Promise<Connection>;
  readonly steps: () => readonly OwnedMigration[];
  readonly restoreSteps: () => Iterable<RestoreStep>;
  readonly makeError: MakeError;
  readonly version: string;
}

/** Time in milliseconds during which PostgreSQL may still list the connections of a program that has ended. */
const endedConnectionMs = 2_000;

export function createCommands({ openAsIs, steps, restoreSteps, makeError, version }: CommandParts): readonly CliCommand[] {
  async function withConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await openAsIs();
    try {
      return await work(connection);
    } finally {
      await connection.close();
    }
  }

  return [
    {
      name: 'migrate',
      summary: 'Migrates the database to this version, as every start does. Use --rehearse to test the migration first.',
      options: {
        list: { type: 'boolean', description: 'Lists the pending steps without applying them.' },
        rehearse: { type: 'boolean', description: 'Applies the pending steps in one transaction and rolls it back.' },
      },
      async run({ options }, output) {
        const { migrate } = await import('./migrate.ts');
        const isListOnly = options['list'] === true;
        const isDryRun = options['rehearse'] === true;
        const due = await withConnection((connection) => migrate(connection, steps(), makeError, { isListOnly, isDryRun }));
        for (const { plugin, number, name } of due) output.out(`${plugin} ${number} ${name}\n`);
        const count = due.length === 1 ? '1 step' : `${due.length} steps`;
        const isOne = due.length === 1;
        if (due.length === 0) output.out('No steps are due: the database has the tables of this version.\n');
        else if (isListOnly) output.out(`${count} ${isOne ? 'is' : 'are'} due.\n`);
        else if (isDryRun) output.out(`${count} ${isOne ? 'was' : 'were'} applied and rolled back: ${isOne ? 'it works' : 'they work'} on this database.\n`);
        else output.out(`${count} ${isOne ? 'was' : 'were'} applied.\n`);
        return 0;
      },
    },
    {
      name: 'backup',
      summary: 'Writes a consistent backup of the database to one file while the server runs.',
      usage: '<file>',
      async run({ positionals }, output) {
        const path = fileIn(positionals);
        const { writeBackup } = await import('./backup.ts');
        const { tables, rows, bytes } = await withConnection((connection) => writeBackup(connection, path, version));
        output.out(
          `${path}: ${rows} rows of ${tables} tables, ${bytes} bytes. Also back up HUB_SECRET (or the file 'secret' in the home folder), and store it separately.\n`,
        );
        return 0;
      },
    },
    {
      name: 'restore',
      summary: 'Restores a backup into an empty PostgreSQL or embedded database. Stop the servers first.',
      usage: '<file>',
      options: {
        replace: { type: 'boolean', description: 'Deletes the content of the database first.' },
        'sign-out': { type: 'boolean', description: 'Revokes every license in the backup, so that each service must sign in again.' },
      },
      async run({ positionals, options }, output) {
        const path = fileIn(positionals);
        const { restoreBackup } = await import('./restore.ts');
        const { head, rows, applied } = await withConnection(async (connection) => {
          await refuseWhileServed(connection);
          const asked = { replaces: options['replace'] === true, isSignOut: options['sign-out'] === true };
          return restoreBackup({ connection, path, steps: steps(), restoreSteps: [...restoreSteps()], ...asked, makeError });
        });
        output.out(
          `${rows} rows of ${head.at} were restored${applied > 0 ? `, and ${applied} later steps applied` : ''}. Start the server with the HUB_SECRET of that time.\n` +
            'All people must sign in to the pages again. People who were removed since then are members again: check members and devices.\n',
        );
        return 0;
      },
    },
  ];

  function fileIn(positionals: readonly string[]): string {
    const [path] = positionals;
    if (path === undefined || positionals.length > 1) throw makeError('NO_FILE');
    return resolve(path);
  }

  async function refuseWhileServed(connection: Connection): Promise<void> {
    if (connection.isJoined) throw makeError('SERVED');
    if (connection.kind === 'embedded') return;
    const others = `select 1 from pg_stat_activity where datname = current_database() and application_name = $1 and pid <> pg_backend_pid()`;
    const end = performance.now() + endedConnectionMs;
    while ((await connection.query(others, [applicationName])).length > 0) {
      if (performance.now() > end) throw makeError('SERVED');
      await pause(100);
    }
  }
}
