// The point `entry_mark`: asks plugins what they say of the entries of a chat, and has clients told when that changes.
import type { PointHandler } from 'agent-harness/kernel';
import type { EntryMark, MarkedEntries, MarkedEntry } from './entry-mark.ts';

export interface EntryMarksOptions {
  /** One that fails marks nothing. */
  onFault(label: string, fault: unknown): void;
  /** @param marks the labels of all that the entry bears now */
  tell(entry: MarkedEntry & { readonly marks: readonly string[] }): void;
  /** A mark came or went after somebody asked for them. */
  onOther(): void;
}

export interface EntryMarks {
  readonly point: PointHandler<EntryMark>;
  /** Without those that nothing of the chat bears. Never rejects. */
  of(chatId: string): Promise<readonly MarkedEntries[]>;
  changed(entry: MarkedEntry): Promise<void>;
}

export function createEntryMarks({ onFault, tell, onOther }: EntryMarksOptions): EntryMarks {
  const marks = new Map<string, EntryMark>();
  let isAsked = false;

  async function of(chatId: string): Promise<readonly MarkedEntries[]> {
    isAsked = true;
    const asked = [...marks.values()].map(async (mark): Promise<MarkedEntries> => {
      try {
        return { label: mark.label, ids: [...(await mark.of(chatId))] };
      } catch (fault) {
        onFault(mark.label, fault);
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
      tell({ chatId, entryId, marks: labelsOf(await of(chatId), entryId) });
    },
    point: {
      validate({ label }) {
        if (label.trim() === '') return 'a mark of entries needs a label.';
        return marks.has(label) ? `there is a mark of entries ‘${label}’ already.` : undefined;
      },
      added(mark) {
        marks.set(mark.label, mark);
        other();
      },
      removed({ label }) {
        marks.delete(label);
        other();
      },
    },
  };
}

export function labelsOf(marked: readonly MarkedEntries[], entryId: string): string[] {
  return marked.filter(({ ids }) => ids.includes(entryId)).map(({ label }) => label);
}
