// Parses the hunks and lines of a unified diff. Also runs in browsers.
import { isHeaderLine } from './unified-diff.ts';

export interface Hunk {
  /** A complete diff that contains only this hunk. */
  readonly diff: string;
  /** First line of the hunk in the new version, from 1. */
  readonly line: number;
}

/** Splits a unified diff of one file into hunks. */
export function hunksOf(diff: string): Hunk[] {
  const [head = '', ...parts] = diff.split(/^(?=@@ -\d)/m);
  return parts.map((part) => ({ diff: `${head}${part.trimEnd()}`, line: lineOfHunk(part) }));
}

/** Returns the first line of a hunk in the new version. @param head the header line of the hunk */
export function lineOfHunk(head: string): number {
  return Number(/\+(\d+)/.exec(head)?.[1] ?? 0);
}

export interface DiffLine {
  /** `file`: the following lines belong to the file named in `text`; `hunk`: a hunk header, verbatim; `note`: a line that belongs to neither side. */
  readonly kind: 'file' | 'hunk' | 'added' | 'removed' | 'same' | 'note';
  /** The line without its prefix. */
  readonly text: string;
}

/** Parses the lines of a unified diff using the line counts of its hunks, because a removed line may look like a file header. */
export function linesOfDiff(diff: string): DiffLine[] {
  const all = diff.replaceAll('\r\n', '\n').trimEnd().split('\n');
  let [before, after] = [0, 0];
  return all.flatMap((line, at): DiffLine[] => {
    const sides = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    if (sides) {
      [before, after] = [Number(sides[1] ?? 1), Number(sides[2] ?? 1)];
      return [{ kind: 'hunk', text: line }];
    }
    const isInside = before > 0 || after > 0;
    if (!isInside && isHeaderLine(line)) return fileOf(line, all[at - 1]);
    const text = line.slice(1);
    if (line.startsWith('+')) after--;
    else if (line.startsWith('-')) before--;
    else if (line.startsWith(' ') || line === '') [before, after] = [before - 1, after - 1];
    else return [{ kind: 'note', text: line }];
    return [{ kind: line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same', text }];
  });
}

/** Returns the file name, current or former, from the header lines. */
function fileOf(line: string, previous = ''): DiffLine[] {
  if (!line.startsWith('+++ ')) return [];
  const name = (/^\+\+\+ \/dev\/null/.test(line) ? previous : line).slice(4).split('\t', 1)[0] ?? '';
  return [{ kind: 'file', text: name.replace(/^[ab]\//, '') }];
}
