// Provides serial queues, aborts, time limits and backoff for asynchronous work. Also runs in browsers.

export interface SerialQueue {
  /** Starts the work when all earlier work has settled. Settles as the work does. */
  run<T>(work: () => T | PromiseLike<T>): Promise<T>;
  /** Resolves when all work that was added so far has settled. */
  idle(): Promise<void>;
}

/** Creates a queue that runs work items one at a time, in the order in which they were added. */
export function createSerialQueue(): SerialQueue {
  let tail: Promise<void> = Promise.resolve();
  return {
    run(work) {
      const done = tail.then(work);
      tail = done.then(ignore, ignore);
      return done;
    },
    idle: () => tail,
  };
}

export interface SerialQueues<K> {
  /** Works like {@link SerialQueue.run}, but waits only for work with the same key. */
  run<T>(key: K, work: () => T | PromiseLike<T>): Promise<T>;
  /** Resolves when all work added so far, for one key or for all, has settled. */
  idle(key?: K): Promise<void>;
}

/** Runs work with the same key sequentially, and work with different keys concurrently. A key without work uses no memory. */
export function createSerialQueues<K>(): SerialQueues<K> {
  const tails = new Map<K, Promise<void>>();
  return {
    run(key, work) {
      const done = (tails.get(key) ?? Promise.resolve()).then(work);
      const tail = done.then(ignore, ignore).then(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
      tails.set(key, tail);
      return done;
    },
    idle: async (key) => void (await (key === undefined ? Promise.all(tails.values()) : tails.get(key))),
  };
}

export interface UnderWay {
  /** Adds work. Returns the given promise, whose rejection the caller handles. */
  add<T>(work: Promise<T>): Promise<T>;
  /** Resolves when no work is in progress, including work that is added in the meantime and work that rejects. */
  idle(): Promise<void>;
}

/** Tracks concurrent work that its owner awaits before shutting down. */
export function createUnderWay(): UnderWay {
  const all = new Set<Promise<unknown>>();
  return {
    add(work) {
      const done = work.then(ignore, ignore).then(() => void all.delete(done));
      all.add(done);
      return work;
    },
    async idle() {
      while (all.size > 0) await Promise.all(all);
    },
  };
}

/**
 * Resolves with the result of `work`. After an abort, the work has `graceMs` left; then the promise rejects with the signal's reason, and the work is
 * abandoned.
 */
export async function untilAborted<T>(work: T | PromiseLike<T>, signal: AbortSignal, graceMs = 0): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort = ignore;
  const over = new Promise<never>((_, reject) => {
    onAbort = () => {
      timer = setTimeout(() => reject(signal.reason), graceMs);
    };
  });
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * Resolves with the result of `work` or, after `ms` milliseconds, with the result of `late`, which may throw. The work is then abandoned, and its rejection is
 * ignored.
 */
export async function withLimit<T, L>(work: PromiseLike<T>, ms: number, late: () => L): Promise<T | L> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms))).then(late);
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}

export interface Backoff {
  /** First delay in milliseconds. */
  readonly first: number;
  /** Maximum delay in milliseconds. */
  readonly longest: number;
}

/**
 * Returns the delay before the next attempt, in milliseconds. The delay doubles with each failure and is reduced by a random share of up to half, so clients
 * that failed together do not retry together.
 * @param tries number of failures so far, from 0
 * @param random 0 ≤ x < 1
 */
export function backoffMs(tries: number, { first, longest }: Backoff, random: () => number = Math.random): number {
  return Math.round(Math.min(longest, first * 2 ** Math.min(tries, 30)) * (0.5 + random() / 2));
}

/** Resolves after `ms` milliseconds, or earlier when the signal is aborted. */
export function restUntil(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
}

function ignore(): void {}

export interface Lazy<T> {
  /** Creates the value on the first call. After a failure, the next call tries again. */
  (): Promise<T>;
  /** The promise of the value; `undefined` before the first call. */
  readonly made: Promise<T> | undefined;
}

/** Creates a value once, on first use. */
export function lazy<T>(make: () => T | PromiseLike<T>): Lazy<T> {
  let made: Promise<T> | undefined;
  const open = (): Promise<T> => {
    if (made) return made;
    const making = Promise.resolve(make());
    made = making;
    making.catch(() => {
      if (made === making) made = undefined;
    });
    return making;
  };
  return Object.defineProperty(open, 'made', { get: () => made }) as Lazy<T>;
}
