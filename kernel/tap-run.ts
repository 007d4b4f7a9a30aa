// Runs one tap, or one call of all of them, without waiting for ever for what does not end when it is told to.
import type { TapContext } from './contracts.ts';

export interface TapEnds {
  /** The call's. */
  readonly call: AbortSignal | undefined;
  readonly plugin: AbortSignal;
  /** How long a tap may still take once its plugin has ended or its time is over, in milliseconds. */
  readonly graceMs: number;
  readonly limitMs: number | undefined;
  /** The faults of a tap that was left behind. */
  late(): unknown;
  gone(): unknown;
}

/** What has to be taken down once the work is settled. */
class Watch {
  readonly #undos: (() => void)[] = [];

  on(signal: AbortSignal | undefined, heard: (reason: unknown) => void): void {
    if (!signal) return;
    if (signal.aborted) return heard(signal.reason);
    const listener = (): void => heard(signal.reason);
    signal.addEventListener('abort', listener, { once: true });
    this.#undos.push(() => signal.removeEventListener('abort', listener));
  }

  after(ms: number, work: () => void): void {
    const timer = setTimeout(work, ms);
    this.#undos.push(() => clearTimeout(timer));
  }

  end(): void {
    for (const undo of this.#undos) undo();
  }
}

/** Rejects with one of the faults once the tap is left behind. A signal is only made for a tap that asks for it. */
export async function runTap(tap: (context: TapContext) => unknown, ends: TapEnds): Promise<unknown> {
  const watch = new Watch();
  let own: AbortController | undefined;
  const context: TapContext = {
    get signal() {
      if (own) return own.signal;
      own = new AbortController();
      for (const signal of [ends.call, ends.plugin]) watch.on(signal, (reason) => own?.abort(reason));
      return own.signal;
    },
  };
  try {
    const work = tap(context);
    if (!isPromiseLike(work)) return work;
    const left = new Promise<never>((_, reject) => {
      const leave = (fault: unknown): void => {
        own?.abort(fault);
        watch.after(ends.graceMs, () => reject(fault));
      };
      watch.on(ends.plugin, () => leave(ends.gone()));
      if (ends.limitMs !== undefined) watch.after(ends.limitMs, () => leave(ends.late()));
    });
    return await Promise.race([work, left]);
  } finally {
    watch.end();
  }
}

/** Answers what `work` answers; once the signal is aborted it has `graceMs` left, then this rejects with the signal's reason. */
export async function untilAborted<T>(work: PromiseLike<T>, signal: AbortSignal, graceMs: number, onLeft: () => void): Promise<T> {
  const watch = new Watch();
  const over = new Promise<never>((_, reject) => {
    watch.on(signal, (reason) =>
      watch.after(graceMs, () => {
        onLeft();
        reject(reason);
      }),
    );
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    watch.end();
  }
}

export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
