// A value that tells its listeners once a frame, however often it changed.
import type { Store } from './client-contract.ts';

export interface Frames {
  /** Runs the work before the next drawing; the same function asked for twice runs once. */
  request(work: () => void): void;
  /** Nothing runs any more. */
  close(): void;
}

/** In a hidden page nothing is drawn, but a notification or a title may still depend on what came. */
const undrawnMs = 250;

export function createFrames(schedule: (work: () => void) => void): Frames {
  let due = new Set<() => void>();
  let isClosed = false;
  let isScheduled = false;
  let fallback: ReturnType<typeof setTimeout> | undefined;

  function run(): void {
    clearTimeout(fallback);
    fallback = undefined;
    // What a work asks for while it runs (to tell listeners) belongs to the same frame.
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
    // Asked for once, however long nothing is drawn.
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
  /** Seen by `get` at once, told to listeners with the next frame; the same value is not told. */
  set(value: T): void;
}

export function createStore<T>(first: T, frames: Frames): OwnedStore<T> {
  const listeners = new Set<() => void>();
  let value = first;

  function tell(): void {
    for (const listener of [...listeners]) listener();
  }

  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      frames.request(tell);
    },
    subscribe(listener) {
      // The same function may listen twice, and each leaves for itself.
      const own = (): void => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}
