// The hunks and the lines of a unified diff. Runs in browsers, too.
import { isHeaderLine } from './unified-diff.ts';

export interface Hunk {
  /** A diff with this hunk alone. */
  readonly diff: string;
  /** Where it begins in what is there now, from 1. */
  readonly line: number;
}

/** A unified diff of one file, hunk by hunk. */
export function hunksOf(diff: string): Hunk[] {
  const [head = '', ...parts] = diff.split(/^(?=@@ -\d)/m);
  return parts.map((part) => ({ diff: `${head}${part.trimEnd()}`, line: lineOfHunk(part) }));
}

/** Where a hunk begins in what is there now. @param head its first line */
export function lineOfHunk(head: string): number {
  return Number(/\+(\d+)/.exec(head)?.[1] ?? 0);
}

export interface DiffLine {
  /** `file`: what follows is of the file that `text` names; `hunk`: a head as it stands there; `note`: what belongs to neither side. */
  readonly kind: 'file' | 'hunk' | 'added' | 'removed' | 'same' | 'note';
  /** Without its sign. */
  readonly text: string;
}

/** The lines of a unified diff, told apart by how many their hunk says it has: a line that was taken out may look like the head of a file. */
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

/** Of the lines of a head the one that says where the file is now, or was. */
function fileOf(line: string, previous = ''): DiffLine[] {
  if (!line.startsWith('+++ ')) return [];
  const name = (/^\+\+\+ \/dev\/null/.test(line) ? previous : line).slice(4).split('\t', 1)[0] ?? '';
  return [{ kind: 'file', text: name.replace(/^[ab]\//, '') }];
}
