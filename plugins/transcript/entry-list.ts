// The entries of a chat during a batch of events: copied on first write, unchanged entries keep their identity.
import type { Entry } from './state.ts';

export type Draft<T> = { -readonly [K in keyof T]: T[K] };

export interface EntryList {
  find(id: string): Entry | undefined;
  /** Returns the entry for in-place changes; the same one for the rest of the batch. */
  edit<T extends Entry>(entry: T): Draft<T>;
  /** Adds it after everything so far, before queued messages. */
  add(entry: Entry): void;
  /** Adds it at the end, after queued messages. */
  addLast(entry: Entry): void;
  /** Whether a message is queued. */
  hasWaiting(): boolean;
  remove(fits: (entry: Entry) => boolean): void;
  /** Newest first, until the callback returns `false`. */
  backwards(visit: (entry: Entry) => boolean | undefined): void;
  /** Returns the original array if nothing changed. */
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
    // It is nearly always one of the newest.
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

export function isQueued(entry: Entry | undefined): boolean {
  return entry?.kind === 'user' && entry.state === 'queued';
}
