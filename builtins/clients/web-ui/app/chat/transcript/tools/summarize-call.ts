// What a call is about, in one line: the file, the command, the question.

type Args = Readonly<Record<string, unknown>>;

const telling = ['path', 'command', 'url', 'query', 'pattern', 'prompt', 'key', 'goal', 'name', 'id', 'text'];
const maxLength = 200;

/** `argsText` is used while the arguments are still being written. */
export function summarizeCall(name: string, args: Args | undefined, argsText: string): string {
  const known = args ?? partialArgs(argsText);
  return oneLine(summaryOf(name, known));
}

function summaryOf(name: string, args: Args): string {
  const text = (key: string): string => (typeof args[key] === 'string' ? args[key] : '');
  if (name === 'grep_files') return text('path') === '' ? text('pattern') : `${text('pattern')} in ${text('path')}`;
  if (name === 'find_files') return text('path') === '' ? text('pattern') : `${text('pattern')} in ${text('path')}`;
  if (name === 'list_dir') return text('path') || '.';
  if (name === 'read_file') return `${text('path')}${linesOf(args['offset'], args['limit'])}`;
  if (name === 'read_artifact') return `${text('id').slice(0, 12)}${linesOf(args['startLine'], undefined)}`;
  if (name === 'ask_user') return text('prompt').replace(/\*\*|`/g, '');
  const key = telling.find((one) => typeof args[one] === 'string' && args[one] !== '');
  if (key !== undefined) return text(key);
  return Object.values(args).find((value): value is string => typeof value === 'string') ?? '';
}

function linesOf(first: unknown, count: unknown): string {
  if (typeof first !== 'number') return typeof count === 'number' ? `, first ${count} lines` : '';
  return typeof count === 'number' ? `, lines ${first}–${first + count - 1}` : `, from line ${first}`;
}

function oneLine(text: string): string {
  const line = text.trim().split('\n')[0]?.trim() ?? '';
  return line.length > maxLength || line.length < text.trim().length ? `${line.slice(0, maxLength)}…` : line;
}

/** The strings of the outermost object that are there already; the last may be half of it. */
export function partialArgs(argsText: string): Args {
  const found: Record<string, string> = {};
  for (const [, key = '', value = ''] of argsText.slice(0, 2_000).matchAll(/"(\w+)"\s*:\s*"((?:[^"\\]|\\.)*)/g)) found[key] ??= unescapeJson(value);
  return found;
}

function unescapeJson(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    // Cut in the middle of an escape.
    return text;
  }
}

/** @param ms of work; `2.4 s`, `3 min 5 s` */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
