// Implements the CLI command `connector`, which configures a provider for hosted connections.
import type { CliCommand } from 'agent-harness/plugins/commands';
import type { MakeError } from './connect-errors.ts';
import type { Connectors } from './connectors.ts';
import type { ConnectProvider } from './contract.ts';

export interface CommandParts {
  readonly connectors: () => Connectors;
  readonly ready: () => Promise<void>;
  readonly providers: () => readonly ConnectProvider[];
  readonly callbackOf: (provider: string) => string;
  readonly makeError: MakeError;
}

export function connectorCommand({ connectors, ready, providers, callbackOf, makeError }: CommandParts): CliCommand {
  const wrong = (why: string): Error => makeError('WRONG_USE', { why });
  return {
    name: 'connector',
    summary: 'Lists the providers for connected accounts, or sets the OAuth client of one.',
    options: {
      provider: { type: 'string', description: 'Id of the provider, such as github.' },
      'client-id': { type: 'string', description: 'Id of the OAuth client that you registered with the provider.' },
      'secret-stdin': { type: 'boolean', description: 'Reads the client secret from standard input.' },
      remove: { type: 'boolean', description: 'Removes the OAuth client of the provider.' },
    },
    async run({ options }, output) {
      await ready();
      const { provider, 'client-id': clientId, 'secret-stdin': readsSecret, remove } = options;
      if (provider === undefined) {
        const clients = await connectors().list();
        for (const { id, title } of providers())
          output.out(`${id.padEnd(14)} ${title.padEnd(20)} ${clients.has(id) ? 'set up' : 'not set up'}  ${callbackOf(id)}\n`);
        return 0;
      }
      const row = providers().find(({ id }) => id === provider);
      if (!row) throw makeError('NOT_FOUND', { provider });
      if (remove === true) {
        if (!(await connectors().remove(row.id))) throw makeError('NOT_SET_UP', { provider: row.id });
        output.out(`The client of ${row.title} is removed.\n`);
        return 0;
      }
      if (typeof clientId !== 'string' || !/^[\x21-\x7e]{1,500}$/.test(clientId)) throw wrong('The client id is missing or not valid. Add --client-id ID.');
      const secret = readsSecret === true ? ((await (output.secret ? output.secret() : readFirstLine(output.lines())))?.trim() ?? '') : undefined;
      if (secret === '') throw wrong('Standard input contained no secret.');
      if (!(await connectors().set(row.id, clientId, secret))) throw wrong('The first setup of a provider requires a client secret. Add --secret-stdin.');
      output.out(`Accounts of ${row.title} can be connected. Register ${callbackOf(row.id)} there as the callback address.\n`);
      return 0;
    },
  };
}

async function readFirstLine(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) return line;
  return '';
}
