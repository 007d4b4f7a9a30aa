// Work that is waited for: one after the other, not beyond an abort, later and later. Runs in browsers, too.

export interface SerialQueue {
  /** Begins when everything that was given before is over, whatever became of it. Settles as the work does. */
  run<T>(work: () => T | PromiseLike<T>): Promise<T>;
  /** Resolves when everything that was given so far is over. */
  idle(): Promise<void>;
}

/** Runs work one after the other, in the order in which it was given. */
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
  /** As {@link SerialQueue.run}, behind work of the same key only. */
  run<T>(key: K, work: () => T | PromiseLike<T>): Promise<T>;
  /** Resolves when everything that was given so far is over: for one key, or for all. */
  idle(key?: K): Promise<void>;
}

/** Runs work of the same key one after the other, and work of different keys side by side. A key without work takes no room. */
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
  /** Answers what it is given. Whoever wants to hear of its fault does so there. */
  add<T>(work: Promise<T>): Promise<T>;
  /** Resolves when nothing is under way, also of what is added meanwhile; whatever becomes of it. */
  idle(): Promise<void>;
}

/** Work side by side whose owner waits for it before it goes. */
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
 * Answers what `work` answers. Once the signal is aborted the work has `graceMs` left; then this rejects with the signal's
 * reason and leaves it behind.
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

/** Answers what `work` answers, or after `ms` milliseconds what `late` answers or throws; then the work is left behind, and nobody hears of its failure. */
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
  /** Milliseconds. */
  readonly first: number;
  /** Milliseconds; never more. */
  readonly longest: number;
}

/**
 * How long to wait before the next try, in milliseconds: it doubles, and is shortened by up to a half by chance, so that those
 * who failed together do not come back together.
 * @param tries how many have failed before, from 0
 * @param random 0 ≤ x < 1
 */
export function backoffMs(tries: number, { first, longest }: Backoff, random: () => number = Math.random): number {
  return Math.round(Math.min(longest, first * 2 ** Math.min(tries, 30)) * (0.5 + random() / 2));
}

function ignore(): void {}

export interface Lazy<T> {
  /** Makes it at the first call. After a failure the next call tries again. */
  (): Promise<T>;
  /** What was made or is being made; `undefined` before the first call. */
  readonly made: Promise<T> | undefined;
}

/** Makes something once, when it is first wanted. */
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
