// What plugins say of messages and calls: below each as it is written, and as a line of its own where that was written before.
import type { EntryMarks } from 'agent-harness/client';
import { oneLine } from 'agent-harness/lib/text';
import { markChangeTexts, type Entry } from 'agent-harness/transcript';
import { cutRow } from '../screen/measure.ts';
import { rowOf, styles, type Row } from '../screen/spans.ts';

export function markRows(labels: readonly string[] = [], columns: number): Row[] {
  return labels.map((label) => cutRow(rowOf(`  [${oneLine(label, 200)}]`, styles.dim), columns));
}

export interface MarkWriter {
  /** The marks of an entry that is written now. */
  below(entry: Entry, marks: EntryMarks, columns: number): Row[];
  /** It is written without a word of its marks. */
  pass(entry: Entry, marks: EntryMarks): void;
  /** Of entries that are written: which of their marks are other ones than was said of them. */
  changes(marks: EntryMarks, entries: readonly Entry[], isWritten: (id: string) => boolean, columns: number): Row[];
}

export function createMarkWriter(): MarkWriter {
  const told = new Map<string, readonly string[]>();
  let last: EntryMarks | undefined;

  /** Answers what was told before. */
  function tell(id: string, labels: readonly string[]): readonly string[] {
    const before = told.get(id) ?? [];
    if (labels.length === 0) told.delete(id);
    else told.set(id, labels);
    return before;
  }

  return {
    below(entry, marks, columns) {
      const labels = marks.get(entry.id) ?? [];
      tell(entry.id, labels);
      return markRows(labels, columns);
    },
    pass: (entry, marks) => void tell(entry.id, marks.get(entry.id) ?? []),
    changes(marks, entries, isWritten, columns) {
      if (marks === last) return [];
      last = marks;
      return entries.flatMap((entry) => {
        if (!isWritten(entry.id)) return [];
        const is = marks.get(entry.id) ?? [];
        return markChangeTexts(entry, tell(entry.id, is), is).map((line) => cutRow(rowOf(`· ${oneLine(line, 300)}`, styles.dim), columns));
      });
    },
  };
}
