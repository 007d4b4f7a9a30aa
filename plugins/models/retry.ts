// Decides whether a failed attempt of a model request is repeated, and after which delay.
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '#lib/async';
import type { ModelFault } from './contract.ts';

/** Time and randomness, injected for tests. */
export interface Clock {
  /** Returns a monotonic time in milliseconds; only differences are meaningful. */
  now(): number;
  /** Waits `ms` milliseconds. Rejects when the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Calls `work` once after `ms` milliseconds; returns the function that cancels the call. */
  after(ms: number, work: () => void): () => void;
  /** Returns a random number, 0 ≤ x < 1. */
  random(): number;
}

export const realClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
  after(ms, work) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
  random: Math.random,
};

export interface RetryLimits {
  readonly rateLimitRetries: number;
  readonly transientRetries: number;
  readonly retryMaxDelayMs: number;
  /** Maximum time for all retries in milliseconds. It begins with the first fault, because a long stream may fail late. */
  readonly retryWallTimeMs: number;
}

export interface PlannedRetry {
  readonly attempt: number;
  readonly of: number;
  readonly delayMs: number;
}

const firstDelayMs = 500;
/** Maximum number of retries after an empty reply. */
const emptyRetries = 1;

/** Creates the retry plan of one call. `next` returns the next retry after a fault; `undefined` if none is left. */
export function createRetryPlan(clock: Clock): { next(fault: ModelFault, limits: RetryLimits): PlannedRetry | undefined } {
  const spent = { rate_limit: 0, transient: 0, empty: 0 };
  let firstFaultAt: number | undefined;
  return {
    next(fault, limits) {
      if (fault.kind !== 'rate_limit' && fault.kind !== 'transient' && fault.kind !== 'empty') return undefined;
      firstFaultAt ??= clock.now();
      const of = retriesOf(fault.kind, limits);
      const attempt = spent[fault.kind] + 1;
      if (attempt > of) return undefined;
      const grown = backoffMs(attempt - 1, { first: firstDelayMs, longest: limits.retryMaxDelayMs }, clock.random);
      const delayMs = Math.round(Math.min(limits.retryMaxDelayMs, Math.max(grown, fault.retryAfterMs ?? 0)));
      if (clock.now() - firstFaultAt + delayMs > limits.retryWallTimeMs) return undefined;
      spent[fault.kind] = attempt;
      return { attempt, of, delayMs };
    },
  };
}

function retriesOf(kind: 'rate_limit' | 'transient' | 'empty', { rateLimitRetries, transientRetries }: RetryLimits): number {
  if (kind === 'rate_limit') return rateLimitRetries;
  return kind === 'transient' ? transientRetries : Math.min(emptyRetries, transientRetries);
}
