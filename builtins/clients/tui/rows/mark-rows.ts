// Renders plugin annotations: below an entry when it is written, and as a separate line for earlier ones.
import type { EntryMarks } from 'agent-harness/client';
import { oneLine } from '#lib/text';
import { markChangeTexts, type Entry } from 'agent-harness/transcript';
import { cutRow } from '../screen/measure.ts';
import { rowOf, styles, type Row } from '../screen/spans.ts';

export function markRows(labels: readonly string[] = [], columns: number): Row[] {
  return labels.map((label) => cutRow(rowOf(`  [${oneLine(label, 200)}]`, styles.dim), columns));
}

export interface MarkWriter {
  /** Returns the annotations of an entry being written. */
  below(entry: Entry, marks: EntryMarks, columns: number): Row[];
  /** Marks an entry as written without annotations. */
  pass(entry: Entry, marks: EntryMarks): void;
  /** Returns changed annotations of already written entries. */
  changes(marks: EntryMarks, entries: readonly Entry[], isWritten: (id: string) => boolean, columns: number): Row[];
}

export function createMarkWriter(): MarkWriter {
  const shown = new Map<string, readonly string[]>();
  let last: EntryMarks | undefined;

  /** Returns the labels reported before. */
  function markLines(id: string, labels: readonly string[]): readonly string[] {
    const before = shown.get(id) ?? [];
    if (labels.length === 0) shown.delete(id);
    else shown.set(id, labels);
    return before;
  }

  return {
    below(entry, marks, columns) {
      const labels = marks.get(entry.id) ?? [];
      markLines(entry.id, labels);
      return markRows(labels, columns);
    },
    pass: (entry, marks) => void markLines(entry.id, marks.get(entry.id) ?? []),
    changes(marks, entries, isWritten, columns) {
      if (marks === last) return [];
      last = marks;
      return entries.flatMap((entry) => {
        if (!isWritten(entry.id)) return [];
        const is = marks.get(entry.id) ?? [];
        return markChangeTexts(entry, markLines(entry.id, is), is).map((line) => cutRow(rowOf(`· ${oneLine(line, 300)}`, styles.dim), columns));
      });
    },
  };
}
