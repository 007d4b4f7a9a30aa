// Changes the entries of a chat during a batch of events. The list is copied on the first write; unchanged entries keep their identity.
import type { Entry } from './state.ts';

export type Draft<T> = { -readonly [K in keyof T]: T[K] };

export interface EntryList {
  find(id: string): Entry | undefined;
  /** Returns a copy of an entry for changes in place; the same copy for the rest of the batch. */
  edit<T extends Entry>(entry: T): Draft<T>;
  /** Adds an entry after all others, but before queued messages. */
  add(entry: Entry): void;
  /** Adds an entry at the end, after queued messages. */
  addLast(entry: Entry): void;
  /** Returns whether a message is queued. */
  hasWaiting(): boolean;
  remove(fits: (entry: Entry) => boolean): void;
  /** Visits the entries, newest first, until the callback returns `false`. */
  backwards(visit: (entry: Entry) => boolean | undefined): void;
  /** Returns the entries; the original array if nothing changed. */
  done(): readonly Entry[];
}

export function createEntryList(given: readonly Entry[]): EntryList {
  let entries: Entry[] | undefined;
  let positions: Map<string, number> | undefined;
  const fresh = new Set<Entry>();

  const now = (): readonly Entry[] => entries ?? given;
  const own = (): Entry[] => (entries ??= [...given]);

  function positionOf(id: string): number {
    const all = now();
    // The entry is nearly always one of the newest.
    for (let at = all.length - 1; at >= Math.max(0, all.length - 16); at--) if (all[at]?.id === id) return at;
    positions ??= new Map(all.map((entry, at) => [entry.id, at]));
    return positions.get(id) ?? -1;
  }

  function insert(at: number, entry: Entry): void {
    const all = own();
    fresh.add(entry);
    all.splice(at, 0, entry);
    if (positions) for (let moved = at; moved < all.length; moved++) positions.set(all[moved]?.id ?? '', moved);
  }

  return {
    find: (id) => now()[positionOf(id)],
    edit<T extends Entry>(entry: T) {
      const at = positionOf(entry.id);
      const current = now()[at] as T;
      if (fresh.has(current)) return current as Draft<T>;
      const copy = { ...current };
      own()[at] = copy;
      fresh.add(copy);
      return copy as Draft<T>;
    },
    add(entry) {
      const all = now();
      let at = all.length;
      while (at > 0 && isQueued(all[at - 1])) at--;
      insert(at, entry);
    },
    addLast: (entry) => insert(now().length, entry),
    hasWaiting: () => isQueued(now().at(-1)),
    remove(fits) {
      const kept = now().filter((entry) => !fits(entry));
      if (kept.length === now().length) return;
      entries = kept;
      positions = undefined;
    },
    backwards(visit) {
      const all = now();
      for (let at = all.length - 1; at >= 0; at--) {
        const entry = all[at];
        if (entry && visit(entry) === false) return;
      }
    },
    done: now,
  };
}

/** Returns whether an entry is a message that waits behind a running turn. */
export function isQueued(entry: Entry | undefined): boolean {
  return entry?.kind === 'user' && entry.state === 'queued';
}
