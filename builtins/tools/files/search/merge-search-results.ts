// Merges the results of parallel search threads into the order and limit of a single-threaded search.
import type { FoundLine, ThreadMessage, ThreadWork } from './search-thread.ts';

export interface FileHits {
  readonly path: string;
  readonly lines: readonly FoundLine[];
}

export interface FoundLines {
  readonly files: readonly FileHits[];
  readonly isFull: boolean;
  /** Number of binary files, files over 2 MB, and unreadable files. */
  readonly skipped: number;
  /** Number of hard links, whose other names are unknown. */
  readonly linked: number;
  /** Path of the file that was being searched when the time limit was reached. */
  readonly slowFile?: string;
}

export type Portion = ThreadWork;

export interface Findings {
  addPortion(paths: readonly string[]): Portion;
  addHits(index: number, lines: readonly FoundLine[]): void;
  /** Records that a portion was searched, completely or up to the limit. */
  end(message: Extract<ThreadMessage, { readonly kind: 'end' }>): void;
  /** Returns whether no other file can change the result. */
  isEnough(): boolean;
  pathOf(index: number): string;
  /** @param slowFile path of the file that was being searched when the time limit was reached */
  result(slowFile?: string): FoundLines;
}

/**
 * @param maxHits maximum number of matching lines, counted in the order of the files
 * @param context number of lines around each match
 */
export function createFindings(maxHits: number, context: number): Findings {
  const paths: string[] = [];
  const found = new Map<number, readonly FoundLine[]>();
  const ends = new Map<number, Parameters<Findings['end']>[0]>();
  const portions: Portion[] = [];
  /** Number of contiguous portions that have been searched, and their results. */
  let done = 0;
  let hits = 0;

  return {
    addPortion(more) {
      const portion = { first: paths.length, paths: more };
      for (const path of more) paths.push(path);
      portions.push(portion);
      return portion;
    },
    addHits: (index, lines) => void found.set(index, lines),
    end(message) {
      ends.set(message.first, message);
      for (let next = ends.get(portions[done]?.first ?? -1); next; next = ends.get(portions[done]?.first ?? -1)) {
        hits += next.hits;
        done++;
      }
    },
    isEnough: () => hits >= maxHits,
    pathOf: (index) => paths[index] ?? '',
    result(slowFile) {
      const files: FileHits[] = [];
      let left = maxHits;
      let last = Infinity;
      for (const [index, lines] of [...found].sort(([one], [other]) => one - other)) {
        const shown = cut(lines, left, context);
        left -= shown.filter(({ isHit }) => isHit).length;
        files.push({ path: paths[index] ?? '', lines: shown });
        if (left > 0) continue;
        last = index;
        break;
      }
      if (slowFile !== undefined) return { files, isFull: false, skipped: 0, linked: 0, slowFile };
      const count = (kind: 'skipped' | 'linked'): number => [...ends.values()].reduce((sum, end) => sum + end[kind].filter((index) => index < last).length, 0);
      return { files, isFull: left === 0, skipped: count('skipped'), linked: count('linked') };
    },
  };
}

/** Truncates to a number of matching lines; later matches remain only as context of the last one. */
function cut(lines: readonly FoundLine[], maxHits: number, context: number): readonly FoundLine[] {
  const last = lines.filter(({ isHit }) => isHit)[maxHits - 1];
  if (!last) return lines;
  return lines
    .filter(({ number }) => number <= last.number + context)
    .map((line) => (line.number > last.number && line.isHit ? { ...line, isHit: false } : line));
}
