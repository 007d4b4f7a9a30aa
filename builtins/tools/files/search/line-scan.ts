// Matches the lines of one file piece by piece, and collects context lines before and after each match.
import { textPart } from '#lib/text';
import type { FoundLine, ThreadTask } from './search-thread.ts';

/** A search, with its number of matches in the files of one message to the thread. */
export interface Search {
  readonly task: ThreadTask;
  readonly expression: RegExp;
  /** Matches every text that contains a matching line. */
  readonly required: RegExp | undefined;
  hits: number;
}

export interface LineScan {
  take(more: readonly string[], isLast: boolean): void;
  /** Skips lines that contain no match. Contract: no context is pending. */
  pass(count: number): void;
  found(): readonly FoundLine[];
}

/** Maximum length of a line, in UTF-16 code units, that is matched. */
export const maxMatchedLine = 10_000;

export function createLineScan(search: Search): LineScan {
  const { task, expression } = search;
  const chosen = new Map<number, FoundLine>();
  let lines: readonly string[] = [];
  let dropped = 0;
  let done = 0;
  const isHit = (line: string): boolean =>
    expression.test(line.length > maxMatchedLine ? line.slice(0, maxMatchedLine) : line.endsWith('\r') ? line.slice(0, -1) : line);
  return {
    take(more, isLast) {
      lines = lines.length === 0 ? more : lines.concat(more);
      const end = isLast ? lines.length : lines.length - task.context;
      for (; done < end && search.hits < task.maxHits; done++) {
        if (!isHit(lines[done] ?? '')) continue;
        search.hits++;
        for (let near = Math.max(0, done - task.context); near <= Math.min(lines.length - 1, done + task.context); near++) {
          const number = dropped + near + 1;
          const text = shorten((lines[near] ?? '').replace(/\r$/, ''), search);
          chosen.set(number, { number, text, isHit: near === done || chosen.get(number)?.isHit === true });
        }
      }
      const old = Math.max(0, done - task.context);
      lines = lines.slice(old);
      dropped += old;
      done -= old;
    },
    pass: (count) => void (dropped += count),
    found: () => [...chosen.values()],
  };
}

function shorten(line: string, { task, expression }: Search): string {
  if (line.length <= task.maxShownLine) return line;
  const found = expression.exec(line.slice(0, maxMatchedLine))?.index ?? 0;
  const from = Math.max(0, found - Math.floor(task.maxShownLine / 4));
  return `${from > 0 ? '…' : ''}${textPart(line, from, from + task.maxShownLine)}…`;
}
