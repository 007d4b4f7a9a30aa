// Runs a foreground command in an external terminal, with the same time limit and result as a local command.
import type { CommandTerminal } from 'agent-harness/builtins/tools/shell';
import { failure, messageOf } from '#lib/errors';
import type { ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';
import { abortedOutcome, clean, lateOutcome, outcomeOf } from './command-outcome.ts';
import { defaultTimeoutMs, type RunCommandArgs } from './inputs.ts';
import type { RunningCommands } from './running-commands.ts';
import { posixShell } from './start-command.ts';

export interface TerminalPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly running: RunningCommands;
}

/** Maximum size of the output in bytes. */
const keptBytes = 512 * 1024;

export async function runInTerminal(
  terminal: CommandTerminal,
  { command, timeoutMs: limitMs = defaultTimeoutMs }: RunCommandArgs,
  { cwd, env: environment, running }: TerminalPlace,
  { callId, chatId, signal }: Pick<ToolContext, 'callId' | 'chatId' | 'signal'>,
): Promise<ToolOutcome> {
  const ending = new AbortController();
  const late = AbortSignal.timeout(limitMs);
  const stop = AbortSignal.any([signal, late, ending.signal]);
  const work = terminal.run({ callId, command, shell: posixShell(), cwd, environment, maxBytes: keptBytes }, stop);
  const over = work.then(
    () => undefined,
    () => undefined,
  );
  const owned = running.add(chatId, () => {
    ending.abort();
    return over;
  });
  try {
    const { exitCode, signal: endedBy, output, isCut } = await work;
    const text = clean(isCut ? `[… beginning discarded …]\n${output}` : output);
    if (signal.aborted || ending.signal.aborted) return abortedOutcome(text);
    if (late.aborted) return lateOutcome(limitMs, text);
    return outcomeOf({ exitCode, signal: endedBy as NodeJS.Signals | null, hadLeftovers: false }, text);
  } catch (fault) {
    const why = `The command was sent to a terminal of ${terminal.name}, but ${messageOf(fault)}`;
    if (signal.aborted) return abortedOutcome(why);
    throw failure(late.aborted ? `The command timed out after ${limitMs / 1000} s. ${why}` : why);
  } finally {
    owned.remove();
  }
}
