// Implements the operator's CLI commands that create the first owner and password reset links.
import type { CliCommand, CliOutput } from 'agent-harness/plugins/commands';
import type { Accounts } from './accounts.ts';
import type { MakeError } from './people-errors.ts';

export interface CommandParts {
  readonly accounts: Accounts;
  readonly planeUrl: () => string;
  /** Creates the control plane's keys if they do not exist. */
  readonly makeKeys: () => Promise<unknown>;
  readonly makeError: MakeError;
}

const wrongUse = 2;

export function createCommands({ accounts, planeUrl, makeKeys, makeError }: CommandParts): readonly CliCommand[] {
  return [
    {
      name: 'init',
      summary: 'Creates the first owner and their organisation without the web pages.',
      options: {
        email: { type: 'string', description: 'E-mail address of the owner.' },
        'password-stdin': { type: 'boolean', description: 'Reads the password from standard input instead of prompting for it.' },
        org: { type: 'string', description: 'Name of the organisation.' },
      },
      async run({ options }, output) {
        const { email, org } = options;
        if (typeof email !== 'string') {
          output.err('The e-mail address of the owner is missing. Add --email ann@example.org\n');
          return wrongUse;
        }
        const password = await readPassword(output, options['password-stdin'] === true);
        if (password === undefined) {
          output.err('The password is missing. Type one, or pass it with --password-stdin.\n');
          return wrongUse;
        }
        await makeKeys();
        await accounts.setUp({ email, password, ...(typeof org === 'string' ? { orgName: org } : {}) });
        output.out(`${email} is now the owner. Sign in at ${planeUrl()}/sign-in\n`);
        return 0;
      },
    },
    {
      name: 'reset-password',
      summary: 'Prints a link to set a new password.',
      options: { email: { type: 'string', description: 'E-mail address of the account.' } },
      async run({ options: { email } }, output) {
        if (typeof email !== 'string') {
          output.err('The e-mail address of the account is missing. Add --email ann@example.org\n');
          return wrongUse;
        }
        const made = await accounts.makeReset(email);
        if (!made) throw makeError('NOT_FOUND', { what: `account ${email}` });
        output.out(`${planeUrl()}/reset?token=${made.token}\nThe link works once, within an hour.\n`);
        return 0;
      },
    },
  ];
}

async function readPassword(output: CliOutput, isPiped: boolean): Promise<string | undefined> {
  if (!isPiped) return output.secret?.();
  for await (const line of output.lines()) return line === '' ? undefined : line;
  return undefined;
}
