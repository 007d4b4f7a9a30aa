// Formats the result of a command for the model: its output, and the way in which it ended.
import { renderOutput } from '#lib/terminal';
import type { ToolOutcome } from 'agent-harness/plugins/tools';
import type { CommandEnd } from './start-command.ts';

export function outcomeOf(end: CommandEnd, text: string): ToolOutcome {
  if (end.fault !== undefined) return { ok: false, error: `The command could not be started: ${end.fault}` };
  if (end.excess !== undefined)
    return { ok: false, error: withOutput(`The command was ended: ${end.excess}`, text), hint: 'Do less at a time; the user may raise the limit.' };
  const leftovers = end.hadLeftovers ? ' Processes that it left running were ended; use background: true to keep a process running.' : '';
  if (end.exitCode === 0) return { ok: true, output: `${text === '' ? '(no output)' : text}${leftovers === '' ? '' : `\n[${leftovers.trim()}]`}` };
  return { ok: false, error: withOutput(`${endText(end)}.${leftovers}`, text) };
}

export function abortedOutcome(text: string): ToolOutcome {
  return { ok: false, error: withOutput('The command was ended because it was aborted.', text) };
}

export function lateOutcome(limitMs: number, text: string): ToolOutcome {
  return {
    ok: false,
    error: withOutput(`The command did not finish within ${limitMs / 1000} s and was ended.`, text),
    hint: 'Give a longer timeoutMs, or background: true for a command that goes on running.',
  };
}

export function endText(end: CommandEnd): string {
  return end.exitCode === null ? `The command was ended by ${end.signal ?? 'a signal'}` : `The command ended with exit code ${end.exitCode}`;
}

export function withOutput(line: string, text: string): string {
  return text === '' ? line : `${line}\n${text}`;
}

export function clean(text: string): string {
  return renderOutput(text).trimEnd();
}
