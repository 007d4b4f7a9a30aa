// Reads the capabilities of an editor from its first request. Undeclared ones count as missing.
import type { InitializeRequest } from '@agentclientprotocol/sdk';
import { isRecord } from '#lib/values';

export interface Abilities {
  /** Whether the editor can ask the user with a form. */
  readonly asksByForm: boolean;
  /** Whether the editor can show an address for the user to open. */
  readonly asksByUrl: boolean;
  readonly showsNotices: boolean;
  readonly readsFiles: boolean;
  readonly writesFiles: boolean;
  /** Whether the editor runs commands in visible terminals. */
  readonly runsCommands: boolean;
  /** Whether the editor can run this program in a terminal for signing in. */
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

/** Returns the capabilities. Never throws: unreadable capabilities count as missing. */
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
