// What an editor can do, as it says in its first request. What it does not say it cannot.
import type { InitializeRequest } from '@agentclientprotocol/sdk';
import { isRecord } from 'agent-harness/lib/values';

export interface Abilities {
  /** Asks a person with a form. */
  readonly asksByForm: boolean;
  /** Shows a person an address to open. */
  readonly asksByUrl: boolean;
  readonly showsNotices: boolean;
  readonly readsFiles: boolean;
  readonly writesFiles: boolean;
  /** Runs commands in terminals that it shows. */
  readonly runsCommands: boolean;
  /** Runs this program in a terminal, for signing in. */
  readonly hasTerminalSignIn: boolean;
}

export const noAbilities: Abilities = {
  asksByForm: false,
  asksByUrl: false,
  showsNotices: false,
  readsFiles: false,
  writesFiles: false,
  runsCommands: false,
  hasTerminalSignIn: false,
};

/** Never throws: what cannot be read is not there. */
export function abilitiesOf({ clientCapabilities }: Pick<Partial<InitializeRequest>, 'clientCapabilities'>): Abilities {
  const at = (...path: readonly string[]): unknown => path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), clientCapabilities);
  return {
    asksByForm: isRecord(at('elicitation', 'form')),
    asksByUrl: isRecord(at('elicitation', 'url')),
    showsNotices: isRecord(at('session', 'notices')),
    readsFiles: at('fs', 'readTextFile') === true,
    writesFiles: at('fs', 'writeTextFile') === true,
    runsCommands: at('terminal') === true,
    hasTerminalSignIn: at('auth', 'terminal') === true,
  };
}
