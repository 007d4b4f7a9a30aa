// Detects reentrant calls, which come from inside the work that they would wait for and would therefore deadlock.
import { AsyncLocalStorage } from 'node:async_hooks';
import { kernelError } from './errors.ts';

/** Work that other calls may await. Its async context outlives it, so its owner must set `isOver`. */
export interface Work {
  isOver: boolean;
}

const inside = new AsyncLocalStorage<readonly Work[]>();

/** Runs `work` in the async context of `what`. */
export function runInside<T>(what: Work, work: () => T): T {
  const outer = inside.getStore()?.filter(({ isOver }) => !isOver) ?? [];
  return inside.run([...outer, what], work);
}

/** Returns whether the caller runs inside that work. */
export function isInside(what: Work): boolean {
  return inside.getStore()?.includes(what) === true;
}

/** Runs work that the current work does not await, outside its async context; `back` runs the awaited part inside that context again. */
export function runOutside<T>(work: (back: <R>(part: () => R) => R) => T): T {
  const store = inside.getStore();
  return store ? inside.exit(() => work((part) => inside.run(store, part))) : work((part) => part());
}

/**
 * Creates a serial queue that continues after errors. Work queued from inside the running work would wait for itself, so it is rejected immediately with
 * `KRN_ERR_REENTRANT`.
 */
export function createQueue(): <T>(what: string, work: () => Promise<T>) => Promise<T> {
  let tail: Promise<unknown> = Promise.resolve();
  let running: (Work & { readonly what: string }) | undefined;
  return (what, work) => {
    if (running && isInside(running)) return Promise.reject(kernelError('REENTRANT', { what, running: running.what }));
    const run = tail.then(async () => {
      const current: Work & { readonly what: string } = (running = { what, isOver: false });
      try {
        return await runInside(current, work);
      } finally {
        current.isOver = true;
        running = undefined;
      }
    });
    tail = run.catch(() => undefined);
    return run;
  };
}
