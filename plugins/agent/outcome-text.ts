// Formats a call and its outcome as text: for the model, and for users.
import { textStart, textEnd } from '#lib/text';
import { jsonOf } from '#lib/values';
import type { ToolOutcome } from 'agent-harness/plugins/tools';

/** Maximum length of a result for the model and the stream, in UTF-16 code units. */
const outputLimit = 48_000;
/** Number of UTF-16 code units that a shortened result keeps at its end, where tools name the artifact with the full output. */
const endLength = 300;
const editsLength = 2_000;
const maxDepth = 200;

/** Returns the output of a call, including additions by taps and guards. Never longer than the limit. */
export function outputOf(outcome: ToolOutcome): string {
  const text = outcome.ok ? outcome.output : [outcome.error, outcome.hint].filter((part) => part !== undefined).join('\n');
  if (text.length <= outputLimit) return text;
  const mark = '\n[…]\n';
  return textStart(text, outputLimit - endLength - mark.length) + mark + textEnd(text, endLength);
}

/** Adds a note for the model that the user edited the arguments before the call ran. */
export function withEdits(outcome: ToolOutcome, args: Readonly<Record<string, unknown>>): ToolOutcome {
  const text = JSON.stringify(args);
  const shown = text.length <= editsLength ? text : `${textStart(text, editsLength)}…`;
  const note = `(Run with arguments edited by the user: ${shown})\n`;
  return outcome.ok ? { ...outcome, output: note + outcome.output } : { ...outcome, error: note + outcome.error };
}

/**
 * Parses arguments only for display; the arguments that are executed are validated separately. Text that is not JSON, or is nested too deeply to serialize, is
 * returned as text.
 */
export function readableArgs(argsText: string): unknown {
  const value = jsonOf(argsText === '' ? '{}' : argsText);
  return value === undefined || isDeeperThan(maxDepth, value) ? argsText : value;
}

function isDeeperThan(limit: number, root: unknown): boolean {
  const open = [{ value: root, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (depth > limit) return true;
    if (typeof value !== 'object' || value === null) continue;
    for (const child of Object.values(value)) open.push({ value: child, depth: depth + 1 });
  }
  return false;
}
