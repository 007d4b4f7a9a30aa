// Terminals of others in which commands may run: where one runs is decided when it is decided about, and told to whoever approves it.
import type { PointHandler } from 'agent-harness/kernel';
import type { CommandTerminal, CommandTerminals } from 'agent-harness/builtins/tools/shell';
import { failure } from 'agent-harness/lib/errors';
import { BoundedMap } from 'agent-harness/lib/values';
import type { RuleVerdict } from 'agent-harness/plugins/policy';
import type { ToolContext } from 'agent-harness/plugins/tools';
import { hasGroups } from './process-group.ts';
import type { SandboxMode } from './sandbox.ts';

type Place = Pick<ToolContext, 'callId' | 'chatId'>;

export interface Terminals {
  readonly point: PointHandler<CommandTerminals>;
  /**
   * Notes where the command of a call runs, and answers what holds about it then. What is allowed without a question stays here.
   * @param verdict about the command itself
   */
  judge(verdict: RuleVerdict | undefined, place: Place, args: Readonly<Record<string, unknown>>): RuleVerdict | undefined;
  /** `undefined`: here. Throws a failure where the terminal of the decision is gone. */
  decided(callId: string): CommandTerminal | undefined;
  /** The call is over. */
  forget(callId: string): void;
}

export interface TerminalSettings {
  readonly editorTerminal: boolean;
  readonly sandbox: SandboxMode;
}

/** Calls that are decided about at once. */
const maxCalls = 10_000;

/** @param settings read at each use */
export function createTerminals(settings: () => TerminalSettings): Terminals {
  const sources = new Set<CommandTerminals>();
  const calls = new BoundedMap<string, { readonly terminal: CommandTerminal | undefined }>(maxCalls);

  function now(chatId: string): CommandTerminal | undefined {
    const { editorTerminal, sandbox } = settings();
    // Who requires a sandbox gets one, and the lines are those of a POSIX shell.
    if (!editorTerminal || sandbox === 'require' || !hasGroups) return undefined;
    for (const source of sources) {
      const terminal = source.terminalOf(chatId);
      if (terminal) return terminal;
    }
    return undefined;
  }

  /** The first look of a call counts for all that follow. */
  function terminalFor({ callId, chatId }: Place): CommandTerminal | undefined {
    const known = calls.get(callId);
    if (known) return known.terminal;
    const terminal = now(chatId);
    calls.set(callId, { terminal });
    return terminal;
  }

  return {
    point: {
      validate: (source) => (typeof source.terminalOf === 'function' ? undefined : 'whoever has terminals needs a function terminalOf.'),
      added: (source) => void sources.add(source),
      removed: (source) => void sources.delete(source),
    },
    judge(verdict, place, { background }) {
      if (verdict?.verdict === 'allow' || background === true) {
        calls.set(place.callId, { terminal: undefined });
        return verdict;
      }
      const terminal = terminalFor(place);
      // Without a sandbox it is no more than what any command can do.
      if (!terminal || settings().sandbox === 'off' || process.platform !== 'linux') return verdict;
      const outside = `The command runs in a terminal of ${terminal.name}, outside of the sandbox: it can reach everything that you can.`;
      return { verdict: 'ask', reason: verdict ? `${outside} ${verdict.reason}` : outside };
    },
    decided(callId) {
      const terminal = calls.get(callId)?.terminal;
      if (!terminal?.gone.aborted) return terminal;
      throw failure(`The command was to run in a terminal of ${terminal.name}, which has left since it was decided about, so nothing ran.`, runsHere);
    },
    forget: (callId) => void calls.delete(callId),
  };
}

const runsHere = 'Make the call again: then the command runs without it.';
