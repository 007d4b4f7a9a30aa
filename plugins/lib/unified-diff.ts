// Detects whether a text is a unified diff, and converts it to the form that the parser accepts. Also runs in browsers.
import { textStart } from './text.ts';

export interface DiffText {
  /** The diff in the form that the parser accepts. */
  readonly diff: string;
  /** Last line of a tool's output that is not part of the diff, for example a note that the diff is truncated. */
  readonly note: string;
  readonly added: number;
  readonly removed: number;
}

/** Parses text; returns `undefined` if it is not a unified diff. @param path name of the file for a diff without a file name */
export function readDiff(text: string, path?: string): DiffText | undefined {
  const all = text.replace(/\r\n/g, '\n').trimEnd().split('\n');
  const head = all.findIndex((line) => line.startsWith('@@ -'));
  if (head === -1 || head > 12 || !all.slice(0, head).every(isHeaderLine)) return undefined;
  const end = all.findIndex(
    (line, index) => index > head && !/^([-+ @\\]|$|diff --git |index |new file|deleted file|rename |similarity |old mode|new mode)/.test(line),
  );
  const lines = end === -1 ? all : all.slice(0, end);
  const body = lines.filter((line) => !/^(---|\+\+\+) /.test(line));
  return {
    diff: [...missingHead(lines, path), ...lines].join('\n'),
    note: end === -1 ? '' : textStart(all.slice(end).join('\n'), 500),
    added: body.filter((line) => line.startsWith('+')).length,
    removed: body.filter((line) => line.startsWith('-')).length,
  };
}

/** Returns whether the line precedes the hunks of a file. */
export function isHeaderLine(line: string): boolean {
  return line === '' || /^(diff |index |--- |\+\+\+ |=+$|Index: |old mode|new mode|new file|deleted file|rename |similarity )/.test(line);
}

/** Returns the git header that the parser requires, if the diff lacks it. */
function missingHead(lines: readonly string[], path = 'file'): string[] {
  if (lines[0]?.startsWith('diff --git ')) return [];
  const git = `diff --git a/${path} b/${path}`;
  return lines.some((line) => line.startsWith('--- ')) ? [git] : [git, `--- a/${path}`, `+++ b/${path}`];
}
