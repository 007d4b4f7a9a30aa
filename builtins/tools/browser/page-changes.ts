// Compares two accessibility trees of a page, and returns the changed lines with the elements around them.
import { diffArrays } from 'diff';

/** Number of changed lines above which the tree is treated as another page. */
const mostEdits = 400;
/** Maximum number of consecutive removed lines that are shown. */
const mostGone = 3;

/**
 * Returns the changes: lines with `+ ` were added, lines with `- ` removed; other lines are the surrounding elements. Returns an empty text if nothing changed,
 * and `undefined` if the whole page is shorter than its changes.
 */
export function changesOf(before: string, after: string): string | undefined {
  if (before === after) return '';
  const [old, now] = [before.split('\n'), after.split('\n')];
  const parts = diffArrays(old, now, { maxEditLength: mostEdits });
  if (!parts) return undefined;
  const reported = new Set<number>();
  const lines: string[] = [];
  const kept = new Set(now.flatMap((line) => refOf(line) ?? []));
  let at = 0;
  for (const { added, removed, value } of parts) {
    if (removed) {
      // The added lines contain every element whose text changed.
      const gone = value.filter((line) => !kept.has(refOf(line) ?? ''));
      if (gone.length > 0) addAround(now, at, indentOf(gone[0] ?? ''), reported, lines);
      lines.push(...gone.slice(0, mostGone).map((line) => `- ${line}`));
      if (gone.length > mostGone) lines.push(`- ${' '.repeat(indentOf(gone[mostGone] ?? ''))}(and ${gone.length - mostGone} more lines)`);
      continue;
    }
    if (added) {
      addAround(now, at, indentOf(value[0] ?? ''), reported, lines);
      value.forEach((line, index) => {
        reported.add(at + index);
        lines.push(`+ ${line}`);
      });
    }
    at += value.length;
  }
  const text = lines.join('\n');
  return text.length * 2 > after.length && after.length > 500 ? undefined : text;
}

/** Adds the ancestors of the line at `at`, outermost first, unless they have already been added. */
function addAround(tree: readonly string[], at: number, indent: number, reported: Set<number>, lines: string[]): void {
  const around: number[] = [];
  let limit = indent;
  for (let index = Math.min(at, tree.length) - 1; index >= 0 && limit > 0; index--) {
    const own = indentOf(tree[index] ?? '');
    if (own >= limit) continue;
    limit = own;
    around.push(index);
  }
  for (const index of around.reverse()) {
    if (reported.has(index)) continue;
    reported.add(index);
    lines.push(`  ${tree[index] ?? ''}`);
  }
}

function refOf(line: string): string | undefined {
  return /\[ref=([a-z0-9]+)\]/.exec(line)?.[1];
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
