// Implements the operator's CLI commands for the database.
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

/** The server briefly lists connections of programs that have ended. */
const longestGoingMs = 2_000;

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
      summary: 'Brings the tables of the database to this version, as every start does; tries it first with --rehearse.',
      options: {
        list: { type: 'boolean', description: 'Only shows what is due.' },
        rehearse: { type: 'boolean', description: 'Does what is due in one transaction and takes it back.' },
      },
      async run({ options }, output) {
        const { migrate } = await import('./migrate.ts');
        const isLook = options['list'] === true;
        const isRehearsal = options['rehearse'] === true;
        const due = await withConnection((connection) => migrate(connection, steps(), makeError, { isLook, isRehearsal }));
        for (const { plugin, number, name } of due) output.out(`${plugin} ${number} ${name}\n`);
        const count = due.length === 1 ? '1 step' : `${due.length} steps`;
        const isOne = due.length === 1;
        if (due.length === 0) output.out('Nothing is due: the tables are what this version expects.\n');
        else if (isLook) output.out(`${count} ${isOne ? 'is' : 'are'} due.\n`);
        else if (isRehearsal) output.out(`${count} ${isOne ? 'was' : 'were'} tried and rolled back: ${isOne ? 'it works' : 'they work'} on this database.\n`);
        else output.out(`${count} ${isOne ? 'was' : 'were'} applied.\n`);
        return 0;
      },
    },
    {
      name: 'backup',
      summary: 'Writes all of the database as of one moment into one file, while the server goes on.',
      usage: '<file>',
      async run({ positionals }, output) {
        const path = fileIn(positionals);
        const { writeBackup } = await import('./backup.ts');
        const { tables, rows, bytes } = await withConnection((connection) => writeBackup(connection, path, version));
        output.out(
          `${path}: ${rows} rows of ${tables} tables, ${bytes} bytes. Keep HUB_SECRET with it (or the file 'secret' of the home folder), apart from it.\n`,
        );
        return 0;
      },
    },
    {
      name: 'restore',
      summary: 'Puts a backup into an empty database, of either kind; stop the servers before.',
      usage: '<file>',
      options: {
        replace: { type: 'boolean', description: 'Everything that is in the database goes.' },
        'sign-out': { type: 'boolean', description: 'Every license of the backup ends, so that each service signs in anew.' },
      },
      async run({ positionals, options }, output) {
        const path = fileIn(positionals);
        const { restoreBackup } = await import('./restore.ts');
        const { head, rows, applied } = await withConnection(async (connection) => {
          await refuseWhileServed(connection);
          const asked = { replaces: options['replace'] === true, isSignOut: options['sign-out'] === true };
          return restoreBackup({ connection, path, steps: steps(), beside: [...restoreSteps()], ...asked, makeError });
        });
        output.out(
          `${rows} rows of ${head.at} are restored${applied > 0 ? `, and ${applied} later steps applied` : ''}. Start with the HUB_SECRET of that time.\n` +
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
    const end = performance.now() + longestGoingMs;
    while ((await connection.query(others, [applicationName])).length > 0) {
      if (performance.now() > end) throw makeError('SERVED');
      await pause(100);
    }
  }
}
