import { expect, test } from 'vitest';
import type { ModelFault } from '../../../../plugins/models/contract.ts';
import { runAttempt } from '../../../../plugins/models/attempt.ts';
import { faultOfConnection, faultOfReply, parseRetryAfter } from '../../../../plugins/models/provider-fault.ts';
import { createRetryPlan, type Clock } from '../../../../plugins/models/retry.ts';

const limits = { rateLimitRetries: 8, transientRetries: 8, retryMaxDelayMs: 30_000, retryWallTimeMs: 90_000 };
const transient: ModelFault = { ok: false, kind: 'transient', message: '' };

/** A clock that advances only through sleeping. */
function fakeClock(random = 0.5): Clock & { pass(ms: number): void } {
  let now = 0;
  const sleepers: { at: number; wake: () => void }[] = [];
  return {
    now: () => now,
    random: () => random,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const onAbort = (): void => reject(signal.reason as Error);
        const wake = (): void => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        };
        sleepers.push({ at: now + ms, wake });
        signal.addEventListener('abort', onAbort);
      }),
    after(ms, work) {
      const waiting = { at: now + ms, wake: work };
      sleepers.push(waiting);
      return () => void sleepers.splice(sleepers.indexOf(waiting), 1);
    },
    pass(ms) {
      now += ms;
      for (const one of sleepers.filter(({ at }) => at <= now)) {
        sleepers.splice(sleepers.indexOf(one), 1);
        one.wake();
      }
    },
  };
}

test('waits double with jitter up to the ceiling', () => {
  for (const [random, expected] of [
    [0, [250, 500, 1000, 2000, 4000, 8000, 15000, 15000]],
    [1, [500, 1000, 2000, 4000, 8000, 16000, 30000, 30000]],
  ] as const) {
    const plan = createRetryPlan(fakeClock(random));
    expect(expected.map(() => plan.next(transient, limits)?.delayMs)).toEqual(expected);
    expect(plan.next(transient, limits)).toBeUndefined();
  }
});

test('Retry-After applies up to the ceiling and never shortens the wait', () => {
  const plan = createRetryPlan(fakeClock());
  const rateLimit = (retryAfterMs: number): ModelFault => ({ ok: false, kind: 'rate_limit', message: '', retryAfterMs });
  expect(plan.next(rateLimit(7_000), limits)?.delayMs).toBe(7_000);
  expect(plan.next(rateLimit(0), limits)?.delayMs).toBe(750);
  expect(plan.next(rateLimit(3_600_000), limits)?.delayMs).toBe(30_000);
});

test('no retry begins after the total time, counted from the first fault', () => {
  const clock = fakeClock();
  clock.pass(500_000);
  const plan = createRetryPlan(clock);
  expect(plan.next(transient, limits)).toMatchObject({ attempt: 1 });
  clock.pass(89_000);
  expect(plan.next(transient, limits)).toMatchObject({ attempt: 2 });
  clock.pass(1_000);
  expect(plan.next(transient, limits)).toBeUndefined();
});

test('final faults are not retried', () => {
  for (const kind of ['auth', 'refused', 'budget', 'bad_reply'] as const) {
    expect(createRetryPlan(fakeClock()).next({ ok: false, kind, message: '' }, limits)).toBeUndefined();
  }
});

test('parses Retry-After as seconds and as a date', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  expect(parseRetryAfter('2.5', now)).toBe(2_500);
  expect(parseRetryAfter('Thu, 01 Jan 2026 00:00:20 GMT', now)).toBe(20_000);
  expect(parseRetryAfter('Thu, 01 Jan 2025 00:00:20 GMT', now)).toBe(0);
  expect(parseRetryAfter('soon', now)).toBeUndefined();
  for (const [said, ms] of [
    ['Please try again in 3s.', 3_000],
    ['Try again in 250ms', 250],
    ['retry in 2 minutes', 120_000],
    ['try again later', undefined],
  ] as const)
    expect(faultOfReply(429, JSON.stringify({ error: { message: said } }), null, now).retryAfterMs).toBe(ms);
  expect(faultOfReply(429, '', '3', now)).toMatchObject({ ok: false, kind: 'rate_limit', message: 'HTTP 429', status: 429, retryAfterMs: 3_000 });
});

test('a slow stream ends only by silence', async () => {
  const clock = fakeClock();
  const sink = { text: () => undefined, reasoning: () => undefined, toolCall: () => undefined, toolArgs: () => undefined };
  const request = { system: '', messages: [], tools: [], maxTokens: 1, purpose: 'chat' };
  const route = { wire: 'demo', model: 'm', baseURL: '' } as const;
  const attempt = await runAttempt(
    {
      async stream(_request, _route, to, signal) {
        for (let delta = 0; delta < 10; delta++) {
          clock.pass(900);
          await Promise.resolve();
          to.text('x');
        }
        expect(signal.aborted).toBe(false);
        for (let step = 0; step < 5; step++) {
          await new Promise(setImmediate);
          clock.pass(500);
        }
        signal.throwIfAborted();
        throw new Error('still waiting');
      },
    },
    request,
    route,
    sink,
    { idleMs: 1_000, clock, signal: new AbortController().signal },
  );
  expect(attempt).toMatchObject({
    outcome: { ok: false, kind: 'transient', message: 'the provider sent no data for 1 s (limit: AGENT_STREAM_IDLE_MS)' },
    text: 'xxxxxxxxxx',
  });
});

test('an error masks the key that it contains, but not a placeholder that occurs in its words', () => {
  expect(faultOfConnection(new Error('no access for secret-1'), 'secret-1').message).toContain('no access for [key]');
  expect(faultOfConnection(new Error('socket hang up'), 'k').message).toContain('socket hang up');
});
