// Renders plugin annotations: below an entry when the entry is written, and later changes as separate lines.
import type { EntryMarks } from 'agent-harness/client';
import { oneLine } from '#lib/text';
import { annotationChangeTexts, type Entry } from 'agent-harness/transcript';
import { cutRow } from '../screen/measure.ts';
import { rowOf, styles, type Row } from '../screen/spans.ts';

export function annotationRows(labels: readonly string[] = [], columns: number): Row[] {
  return labels.map((label) => cutRow(rowOf(`  [${oneLine(label, 200)}]`, styles.dim), columns));
}

export interface AnnotationWriter {
  /** Returns the annotations of an entry that is being written. */
  below(entry: Entry, marks: EntryMarks, columns: number): Row[];
  /** Records that an entry was written without annotations. */
  pass(entry: Entry, marks: EntryMarks): void;
  /** Returns the changed annotations of entries that were already written. */
  changes(marks: EntryMarks, entries: readonly Entry[], isWritten: (id: string) => boolean, columns: number): Row[];
}

export function createAnnotationWriter(): AnnotationWriter {
  const shown = new Map<string, readonly string[]>();
  let last: EntryMarks | undefined;

  /** Records the labels of an entry. Returns the labels that were recorded before. */
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
      return annotationRows(labels, columns);
    },
    pass: (entry, marks) => void markLines(entry.id, marks.get(entry.id) ?? []),
    changes(marks, entries, isWritten, columns) {
      if (marks === last) return [];
      last = marks;
      return entries.flatMap((entry) => {
        if (!isWritten(entry.id)) return [];
        const is = marks.get(entry.id) ?? [];
        return annotationChangeTexts(entry, markLines(entry.id, is), is).map((line) => cutRow(rowOf(`· ${oneLine(line, 300)}`, styles.dim), columns));
      });
    },
  };
}
