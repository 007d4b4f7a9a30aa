// Runs one tap, or one call of all taps, and abandons taps that do not end after an abort.
import type { RunningTap, TapContext } from './types.ts';
import { startClock } from './free-clock.ts';

export interface TapEnds {
  /** Signal of the call. */
  readonly call: AbortSignal | undefined;
  readonly plugin: AbortSignal;
  /** Grace for a tap after its plugin has ended or its limit has passed, in milliseconds. */
  readonly graceMs: number;
  readonly limitMs: number | undefined;
  readonly onAbort: OnAbort;
  /** Returns the fault of an abandoned tap. */
  late(): unknown;
  gone(): unknown;
}

export interface Run {
  readonly hook: string;
  readonly plugin: string;
  readonly startedAt: number;
  /** The caller has continued without it. */
  isLeft: boolean;
}

/** Tracks taps that have started and not ended, including abandoned ones. */
export function createRuns() {
  const runs = new Set<Run>();
  return {
    has: (run: Run): boolean => runs.has(run),
    list: (): (RunningTap & { readonly plugin: string })[] =>
      [...runs].map(({ startedAt, ...run }) => ({ ...run, ms: Math.round(performance.now() - startedAt) })),
    start(run: Run, tap: () => unknown): unknown {
      runs.add(run);
      let work: unknown;
      const done = (): void => void runs.delete(run);
      try {
        return (work = tap());
      } finally {
        if (isPromiseLike(work)) work.then(done, done);
        else done();
      }
    },
  };
}

/** Calls back when the signal is aborted, immediately if it already is; returns a function that cancels this. */
export type OnAbort = (signal: AbortSignal, hear: (reason: unknown) => void) => () => void;

/** Adds one listener per signal: most waits end long before it, and a listener for each costs more than the wait. */
export function createOnAbort(): OnAbort {
  const waiting = new WeakMap<AbortSignal, Set<(reason: unknown) => void>>();
  return (signal, hear) => {
    if (signal.aborted) hear(signal.reason);
    if (signal.aborted) return nothing;
    const all = waiting.get(signal) ?? new Set();
    if (!waiting.has(signal)) signal.addEventListener('abort', () => [...all].forEach((one) => one(signal.reason)), { once: true });
    waiting.set(signal, all.add(hear));
    return () => void all.delete(hear);
  };
}

/**
 * Calls back once, synchronously for a synchronous tap: with the tap's result or fault, or with one of the faults of `ends` once it
 * is abandoned. A signal is created only for a tap that reads it.
 */
export function runTap(tap: (context: TapContext) => unknown, ends: TapEnds, done: (isOk: boolean, answer: unknown) => void): void {
  let own: AbortController | undefined;
  let undos: (() => void)[] | undefined;
  let isOver = false;
  const settle = (isOk: boolean, answer: unknown): void => {
    if (isOver) return;
    isOver = true;
    if (undos) for (const undo of undos) undo();
    done(isOk, answer);
  };
  const context: TapContext = {
    get signal() {
      if (own) return own.signal;
      own = new AbortController();
      for (const signal of [ends.call, ends.plugin]) if (signal) (undos ??= []).push(ends.onAbort(signal, (reason) => own?.abort(reason)));
      return own.signal;
    },
  };
  let work: unknown;
  try {
    work = tap(context);
  } catch (fault) {
    return settle(false, fault);
  }
  if (!isPromiseLike(work)) return settle(true, work);

  const leave = (fault: unknown): void => {
    own?.abort(fault);
    undos?.push(startClock(ends.graceMs, () => settle(false, fault)));
  };
  undos ??= [];
  undos.push(ends.onAbort(ends.plugin, () => leave(ends.gone())));
  if (ends.limitMs !== undefined) undos.push(startClock(ends.limitMs, () => leave(ends.late())));
  work.then(
    (answer) => settle(true, answer),
    (fault: unknown) => settle(false, fault),
  );
}

/** Resolves with the result of `work`; after an abort it has `graceMs` left, then this rejects with the signal's reason. */
export function untilAborted<T>(work: PromiseLike<T>, signal: AbortSignal, graceMs: number, onAbort: OnAbort, onLeft: () => void): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let stopGrace: (() => void) | undefined;
    const stopHearing = onAbort(signal, (reason) => {
      stopGrace = startClock(graceMs, () => {
        onLeft();
        reject(reason);
      });
    });
    const end = (): void => {
      stopGrace?.();
      stopHearing();
    };
    work.then(
      (answer) => {
        end();
        resolve(answer);
      },
      (fault: unknown) => {
        end();
        reject(fault);
      },
    );
  });
}

export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

function nothing(): void {}
