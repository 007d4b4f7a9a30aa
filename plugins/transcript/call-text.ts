// Formats the subject of a tool call (file, command, question) in one line, and the duration of a call.
import { firstLine } from '#lib/text';
import { isRecord, jsonOf } from '#lib/values';

type Args = Readonly<Record<string, unknown>>;

const telling = ['path', 'command', 'url', 'query', 'pattern', 'prompt', 'key', 'goal', 'name', 'id', 'text'];
const maxLength = 200;

/** Returns the subject of a call. @param call `subject` comes from the tool's owner; `argsText` is used while the arguments are streaming */
export function callText({ subject, args, argsText = '' }: { readonly subject?: string; readonly args?: unknown; readonly argsText?: string }): string {
  return subject ?? headOf(summaryOf(isRecord(args) ? args : partialArgs(argsText)));
}

function summaryOf(args: Args): string {
  const key = telling.find((one) => typeof args[one] === 'string' && args[one] !== '');
  if (key !== undefined) return String(args[key]);
  return Object.values(args).find((value): value is string => typeof value === 'string') ?? '';
}

function headOf(text: string): string {
  const line = firstLine(text, maxLength);
  return line.endsWith('…') || line.length === text.trim().length ? line : `${line}…`;
}

/** Parses the string values of the outermost object received so far; the last one may be partial. */
export function partialArgs(argsText: string): Args {
  const found: Record<string, string> = {};
  for (const [, key = '', value = ''] of argsText.slice(0, 2_000).matchAll(/"(\w+)"\s*:\s*"((?:[^"\\]|\\.)*)/g))
    found[key] ??= (jsonOf(`"${value}"`) as string | undefined) ?? value;
  return found;
}

/** Formats a duration: `2.4 s`, `3 min 5 s`. @param ms duration in milliseconds */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
