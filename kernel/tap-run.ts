// Runs one tap, and abandons it when its call was aborted, its plugin ended or its time limit has passed.
import type { CallOptions, RunningTap, TapContext } from './types.ts';
import { kernelError } from './errors.ts';
import { startClock } from './free-clock.ts';
import type { NameUse } from './name-table.ts';

export interface Tap extends NameUse {
  readonly fn: (...args: unknown[]) => unknown;
  /** Aborted when the plugin ends. */
  readonly signal: AbortSignal;
}

/** A running call. */
export interface Call extends CallOptions {
  readonly args: readonly unknown[];
  readonly graceMs: number;
  /** Time (of `performance.now()`) at which the grace period of an aborted call ends. */
  graceEndsAt?: number;
}

/** `over`: the call was aborted and its grace period has passed; `result` is the reason for the abort. */
type Done = (how: 'answered' | 'failed' | 'over', result: unknown) => void;

export function createTapRunner() {
  const running = new Set<{ readonly hook: string; readonly plugin: string; readonly startedAt: number; isLeft: boolean }>();
  const onAbort = createOnAbort();

  return {
    /** Returns the running asynchronous taps, including abandoned ones. */
    running: (): (RunningTap & NameUse)[] => [...running].map(({ startedAt, ...run }) => ({ ...run, ms: Math.round(performance.now() - startedAt) })),

    /** Runs a tap and calls `done` once; synchronously if the tap is synchronous. @param value first argument of this tap */
    run(hook: string, { plugin, fn, signal: ending }: Tap, limitMs: number | undefined, call: Call, value: unknown, done: Done): void {
      let own: AbortController | undefined;
      let late: unknown;
      let isOver = false;
      const startedAt = performance.now();
      // Creates a signal only for a tap that reads it.
      const context: TapContext = {
        get signal() {
          if (own) return own.signal;
          own = new AbortController();
          for (const one of [call.signal, ending]) if (one?.aborted) own.abort(one.reason);
          if (late !== undefined) own.abort(late);
          return own.signal;
        },
      };
      let work: unknown;
      try {
        work = call.args.length === 0 ? fn(context) : fn(value, ...call.args.slice(1), context);
      } catch (cause) {
        return done('failed', cause);
      }
      if (!isPromiseLike(work)) return done('answered', work);

      const run = { hook, plugin, startedAt, isLeft: false };
      running.add(run);
      const stops: (() => void)[] = [];
      const settle: Done = (how, result) => {
        if (isOver) return;
        isOver = true;
        for (const stop of stops) stop();
        done(how, result);
      };
      const leave = (reason: unknown, graceMs: number, how: 'failed' | 'over', result = reason): void => {
        own?.abort(reason);
        const expire = (): void => {
          run.isLeft = true;
          settle(how, result);
        };
        stops.push(startClock(graceMs, expire));
      };
      stops.push(onAbort(ending, (reason) => leave(reason, call.graceMs, 'failed', kernelError('HOOK_LEFT', { plugin, hook }))));
      if (call.signal) stops.push(onAbort(call.signal, (reason) => leave(reason, graceOf(call), 'over')));
      const expireLimit = (): void => leave((late = kernelError('HOOK_TIMEOUT', { plugin, hook, ms: limitMs })), call.graceMs, 'failed');
      if (limitMs !== undefined) stops.push(startClock(limitMs, expireLimit));
      work.then(
        (answer) => {
          running.delete(run);
          settle('answered', answer);
        },
        (cause: unknown) => {
          running.delete(run);
          settle('failed', cause);
        },
      );
    },
  };
}

/** Returns the rest of the grace period in milliseconds, which all taps of an aborted call share. */
function graceOf(call: Call): number {
  const now = performance.now();
  call.graceEndsAt ??= now + call.graceMs;
  return Math.max(0, call.graceEndsAt - now);
}

/** Calls a function when the signal is aborted, immediately if it is already aborted; the returned function cancels this. */
function createOnAbort(): (signal: AbortSignal, onReason: (reason: unknown) => void) => () => void {
  const waiting = new WeakMap<AbortSignal, Set<(reason: unknown) => void>>();
  return (signal, onReason) => {
    if (signal.aborted) onReason(signal.reason);
    if (signal.aborted) return () => undefined;
    // One listener per signal: most waits end long before an abort, and a listener per wait would cost more than the wait itself.
    const all = waiting.get(signal) ?? new Set();
    if (!waiting.has(signal)) signal.addEventListener('abort', () => [...all].forEach((one) => one(signal.reason)), { once: true });
    waiting.set(signal, all.add(onReason));
    return () => void all.delete(onReason);
  };
}

export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
