// Manages the contribution point `entry_mark`: collects the annotations of a chat's entries, and notifies clients of changes.
import type { PointHandler } from 'agent-harness/kernel';
import type { EntryMark, MarkedEntries, MarkedEntry } from './entry-mark.ts';

export interface EntryMarksOptions {
  /** Called for an annotation that is omitted because its plugin failed. */
  onFault(name: string, fault: unknown): void;
  /** Notifies clients of the annotations of an entry. @param marks current labels of the annotations */
  notify(entry: MarkedEntry & { readonly marks: readonly string[] }): void;
  /** Called if a plugin adds or removes an annotation after a client has read the list. */
  onOther(): void;
}

export interface EntryMarks {
  readonly point: PointHandler<EntryMark>;
  /** Returns the annotated entries of a chat, without annotations that have no entries. Never rejects. */
  of(chatId: string): Promise<readonly MarkedEntries[]>;
  changed(entry: MarkedEntry): Promise<void>;
}

export function createEntryMarks({ onFault, notify, onOther }: EntryMarksOptions): EntryMarks {
  const marks = new Map<string, EntryMark>();
  let isAsked = false;

  async function of(chatId: string): Promise<readonly MarkedEntries[]> {
    isAsked = true;
    const asked = [...marks.values()].map(async (mark): Promise<MarkedEntries> => {
      try {
        return { label: mark.label, ids: [...(await mark.of(chatId))] };
      } catch (fault) {
        onFault(mark.name, fault);
        return { label: mark.label, ids: [] };
      }
    });
    return (await Promise.all(asked)).filter(({ ids }) => ids.length > 0);
  }

  const other = (): void => {
    if (isAsked) onOther();
  };

  return {
    of,
    async changed({ chatId, entryId }) {
      notify({ chatId, entryId, marks: labelsOf(await of(chatId), entryId) });
    },
    point: {
      validate({ name, label }) {
        if (label.trim() === '') return `the mark of entries '${name}' needs a label.`;
        return marks.has(name) ? `there is a mark of entries '${name}' already.` : undefined;
      },
      added(mark) {
        marks.set(mark.name, mark);
        other();
      },
      removed({ name }) {
        marks.delete(name);
        other();
      },
    },
  };
}

/** Returns the labels of one entry. */
export function labelsOf(marked: readonly MarkedEntries[], entryId: string): string[] {
  return marked.filter(({ ids }) => ids.includes(entryId)).map(({ label }) => label);
}

/** Returns the annotations of a chat's entries. */
export type MarksOf = (chatId: string) => Promise<readonly MarkedEntries[]>;

/** Adds the labels of each entry. */
export async function withMarks<T extends { readonly chatId: string; readonly entryId: string }>(
  hits: readonly T[],
  marksOf: MarksOf,
): Promise<(T & { readonly marks?: string[] })[]> {
  const chatIds = [...new Set(hits.map(({ chatId }) => chatId))];
  const marked = new Map(await Promise.all(chatIds.map(async (chatId) => [chatId, await marksOf(chatId)] as const)));
  return hits.map((hit) => {
    const marks = labelsOf(marked.get(hit.chatId) ?? [], hit.entryId);
    return marks.length === 0 ? hit : { ...hit, marks };
  });
}
