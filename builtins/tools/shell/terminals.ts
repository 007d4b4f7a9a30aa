// Selects the external terminal for a command. The terminal is fixed when the call is decided, and the approval request names it.
import type { PointHandler } from 'agent-harness/kernel';
import type { CommandTerminal, CommandTerminals } from 'agent-harness/builtins/tools/shell';
import { failure } from '#lib/errors';
import { BoundedMap } from '#lib/values';
import type { RuleVerdict } from 'agent-harness/plugins/policy';
import type { ToolContext } from 'agent-harness/plugins/tools';
import { hasGroups } from './process-group.ts';
import type { SandboxMode } from './sandbox.ts';

type Place = Pick<ToolContext, 'callId' | 'chatId'>;

export interface Terminals {
  readonly point: PointHandler<CommandTerminals>;
  /**
   * Records where the command of a call runs, and returns the resulting verdict. Commands that are allowed without approval run locally.
   * @param verdict verdict on the command itself
   */
  judge(verdict: RuleVerdict | undefined, place: Place, args: Readonly<Record<string, unknown>>): RuleVerdict | undefined;
  /** Returns the terminal of a call; `undefined` for a local command. Throws a failure if the terminal has disconnected since the decision. */
  decided(callId: string): CommandTerminal | undefined;
  /** Drops the data of an ended call. */
  forget(callId: string): void;
}

export interface TerminalSettings {
  readonly editorTerminal: boolean;
  readonly sandbox: SandboxMode;
}

/** Maximum number of concurrent calls that are tracked. */
const maxCalls = 10_000;

/** @param settings returns the current settings; called on each use */
export function createTerminals(settings: () => TerminalSettings): Terminals {
  const sources = new Set<CommandTerminals>();
  const calls = new BoundedMap<string, { readonly terminal: CommandTerminal | undefined }>(maxCalls);

  function now(chatId: string): CommandTerminal | undefined {
    const { editorTerminal, sandbox } = settings();
    // A required sandbox takes precedence, and the command lines are written for a POSIX shell.
    if (!editorTerminal || sandbox === 'require' || !hasGroups) return undefined;
    for (const source of sources) {
      const terminal = source.terminalOf(chatId);
      if (terminal) return terminal;
    }
    return undefined;
  }

  /** Returns the terminal for a call; the first selection for a call applies to all later ones. */
  function terminalFor({ callId, chatId }: Place): CommandTerminal | undefined {
    const known = calls.get(callId);
    if (known) return known.terminal;
    const terminal = now(chatId);
    calls.set(callId, { terminal });
    return terminal;
  }

  return {
    point: {
      validate: (source) => (typeof source.terminalOf === 'function' ? undefined : 'a command_terminal contribution needs a function terminalOf.'),
      added: (source) => void sources.add(source),
      removed: (source) => void sources.delete(source),
    },
    judge(verdict, place, { background }) {
      if (verdict?.verdict === 'allow' || background === true) {
        calls.set(place.callId, { terminal: undefined });
        return verdict;
      }
      const terminal = terminalFor(place);
      // Without a sandbox, a command in the terminal has the same rights as any other command.
      if (!terminal || settings().sandbox === 'off' || process.platform !== 'linux') return verdict;
      const outside = `The command runs in a terminal of ${terminal.name}, outside the sandbox and with your permissions.`;
      return { verdict: 'ask', reason: verdict ? `${outside} ${verdict.reason}` : outside };
    },
    decided(callId) {
      const terminal = calls.get(callId)?.terminal;
      if (!terminal?.gone.aborted) return terminal;
      throw failure(`The terminal of ${terminal.name} disconnected after the decision, so nothing ran.`, runsHere);
    },
    forget: (callId) => void calls.delete(callId),
  };
}

const runsHere = 'Repeat the call; the command then runs without it.';
