// What an operator does with the database by command line.
import type { CliCommand } from 'agent-harness/plugins/commands';
import type { Connection, MakeError } from './connection.ts';
import type { OwnedMigration } from './migration-list.ts';

export interface CommandParts {
  /** Whoever opens it closes it. */
  readonly openAsIs: () => Promise<Connection>;
  readonly steps: () => readonly OwnedMigration[];
  readonly makeError: MakeError;
}

export function createCommands({ openAsIs, steps, makeError }: CommandParts): readonly CliCommand[] {
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
        else if (isRehearsal)
          output.out(`${count} ${isOne ? 'was' : 'were'} rehearsed and taken back: ${isOne ? 'it works' : 'they work'} on this database.\n`);
        else output.out(`${count} ${isOne ? 'was' : 'were'} applied.\n`);
        return 0;
      },
    },
  ];
}
