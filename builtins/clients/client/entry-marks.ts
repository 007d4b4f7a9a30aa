// Tracks plugin annotations of a chat's messages and calls, which come from the transcript and then from events.
import type { WireEvent } from './api.ts';
import type { Store } from './client-contract.ts';
import type { TranscriptPage } from './read-transcript.ts';
import type { EntryMarks } from './state.ts';
import { createStore, type Frames } from './store.ts';

export interface OwnedMarks {
  readonly store: Store<EntryMarks>;
  /** Replaces the annotations with those of a transcript page. */
  read(marks: TranscriptPage['marks']): void;
  /** Applies the events of this chat. */
  take(events: readonly WireEvent[]): void;
}

export function createEntryMarks(frames: Frames): OwnedMarks {
  const store = createStore<EntryMarks>(new Map(), frames);

  /** Unchanged parts keep their object identity. */
  function set(next: ReadonlyMap<string, readonly string[]>): void {
    const before = store.get();
    const kept = new Map([...next].map(([id, labels]) => [id, isSame(before.get(id), labels) ? (before.get(id) ?? labels) : labels]));
    if (kept.size !== before.size || [...kept].some(([id, labels]) => before.get(id) !== labels)) store.set(kept);
  }

  return {
    store,
    read(marks = []) {
      const next = new Map<string, string[]>();
      for (const { label, ids } of marks) for (const id of ids) next.set(id, [...(next.get(id) ?? []), label]);
      set(next);
    },
    take(events) {
      const own = events.filter(({ kind }) => kind === 'entry_marked');
      if (own.length === 0) return;
      const next = new Map(store.get());
      for (const event of own) {
        const [entryId, marks] = [event['entryId'] as string, event['marks'] as readonly string[]];
        if (marks.length === 0) next.delete(entryId);
        else next.set(entryId, marks);
      }
      set(next);
    },
  };
}

function isSame(before: readonly string[] | undefined, labels: readonly string[]): boolean {
  return before?.length === labels.length && labels.every((label, at) => label === before[at]);
}
