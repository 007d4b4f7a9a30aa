// Formats the result of a command for the model: its output, and how it ended.
import { renderOutput } from '#lib/terminal';
import type { ToolOutcome } from 'agent-harness/plugins/tools';
import type { CommandEnd } from './start-command.ts';

export function outcomeOf(end: CommandEnd, text: string): ToolOutcome {
  if (end.fault !== undefined) return { ok: false, error: `The command could not be started: ${end.fault}` };
  if (end.excess !== undefined)
    return { ok: false, error: withOutput(`The command was ended: ${end.excess}`, text), hint: 'Do less at a time; the user can raise the limit.' };
  const leftovers = end.hadLeftovers ? ' Its remaining processes were ended; use background: true to keep one running.' : '';
  if (end.exitCode === 0) return { ok: true, output: `${text === '' ? '(no output)' : text}${leftovers === '' ? '' : `\n[${leftovers.trim()}]`}` };
  return { ok: false, error: withOutput(`${endText(end)}.${leftovers}`, text) };
}

export function abortedOutcome(text: string): ToolOutcome {
  return { ok: false, error: withOutput('The command was aborted.', text) };
}

export function lateOutcome(limitMs: number, text: string): ToolOutcome {
  return {
    ok: false,
    error: withOutput(`The command timed out after ${limitMs / 1000} s and was ended.`, text),
    hint: 'Pass a longer timeoutMs, or background: true for a long-running command.',
  };
}

export function endText(end: CommandEnd): string {
  return end.exitCode === null ? `The command was ended by ${end.signal ?? 'a signal'}` : `The command exited with code ${end.exitCode}`;
}

export function withOutput(line: string, text: string): string {
  return text === '' ? line : `${line}\n${text}`;
}

export function clean(text: string): string {
  return renderOutput(text).trimEnd();
}
