// Implements an observable value that notifies its listeners at most once per frame.
import type { Store } from './client-contract.ts';

export interface Frames {
  /** Runs the work before the next rendering; the same function requested twice runs once. */
  request(work: () => void): void;
  /** Stops everything. */
  close(): void;
}

/** Update interval of a hidden page, which has no frames but needs notifications and a title. */
const undrawnMs = 250;

export function createFrames(schedule: (work: () => void) => void): Frames {
  let due = new Set<() => void>();
  let isClosed = false;
  let isScheduled = false;
  let fallback: ReturnType<typeof setTimeout> | undefined;

  function run(): void {
    clearTimeout(fallback);
    fallback = undefined;
    // Work requested while running (to notify listeners) belongs to the same frame.
    for (let rounds = 0; due.size > 0 && rounds < 4 && !isClosed; rounds++) {
      const works = due;
      due = new Set();
      for (const work of works) work();
    }
    if (due.size > 0) wake();
  }

  function wake(): void {
    if (fallback !== undefined || isClosed) return;
    fallback = setTimeout(run, undrawnMs);
    // Schedules only once while nothing is rendered.
    if (isScheduled) return;
    isScheduled = true;
    schedule(() => {
      isScheduled = false;
      if (fallback !== undefined) run();
    });
  }

  return {
    request(work) {
      due.add(work);
      wake();
    },
    close() {
      isClosed = true;
      clearTimeout(fallback);
      due.clear();
    },
  };
}

export interface OwnedStore<T> extends Store<T> {
  /** Sets the value. It is visible to `get` immediately, and reported to listeners with the next frame; an equal value is not reported. */
  set(value: T): void;
}

export function createStore<T>(first: T, frames: Frames): OwnedStore<T> {
  const listeners = new Set<() => void>();
  let value = first;

  function notify(): void {
    for (const listener of [...listeners]) listener();
  }

  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      frames.request(notify);
    },
    subscribe(listener) {
      // The same function may subscribe twice, with separate unsubscriptions.
      const own = (): void => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}

/** Changes fields of the value. Equal fields are not reported. */
export function changeStore<T extends object>(store: OwnedStore<T>, change: Partial<T>): void {
  const before = store.get();
  const keys = Object.keys(change) as (keyof T)[];
  if (keys.some((key) => before[key] !== change[key])) store.set({ ...before, ...change });
}
