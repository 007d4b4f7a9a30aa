// Queues model calls that must wait for credit that other calls have reserved, instead of refusing them.
import type { Reserved } from './ledger.ts';

export interface CreditQueue {
  /** Retries until credit is granted, cannot be granted, or the wait is over; resolves with the last result. Rejects with the signal's reason. */
  reserve(orgId: string, minimumMicro: number, tryNow: () => Promise<Reserved>, signal: AbortSignal): Promise<Reserved>;
  /** Called when credit of the organisation was settled or released on this node. */
  freed(orgId: string): void;
  waiting(): number;
}

export interface CreditQueueOptions {
  /** Returns the maximum time that a call waits, in milliseconds. Called on every use. */
  waitMs(): number;
  /** Interval between checks for credit that other nodes released, in milliseconds. */
  readonly pollMs: number;
  readonly now?: () => number;
}

interface Waiter {
  readonly minimumMicro: number;
  wake(): void;
  /** Ends the wait with the result of another call. */
  settle(answer: Reserved): void;
}

interface Line {
  readonly waiters: Waiter[];
  timer: NodeJS.Timeout | undefined;
}

export function createCreditQueue({ waitMs, pollMs, now = () => performance.now() }: CreditQueueOptions): CreditQueue {
  const lines = new Map<string, Line>();

  /** Adds a call to the queue of its organisation. */
  function enqueue(orgId: string, waiter: Waiter): void {
    const line = lines.get(orgId) ?? { waiters: [], timer: undefined };
    lines.set(orgId, line);
    line.waiters.push(waiter);
    line.timer ??= setInterval(() => line.waiters[0]?.wake(), pollMs).unref();
  }

  function leave(orgId: string, waiter: Waiter): void {
    const line = lines.get(orgId);
    const at = line?.waiters.indexOf(waiter) ?? -1;
    if (!line || at < 0) return;
    line.waiters.splice(at, 1);
    if (line.waiters.length === 0) {
      clearInterval(line.timer);
      lines.delete(orgId);
    } else if (at === 0) line.waiters[0]?.wake();
  }

  /** Fails all waiting calls that an exhausted wallet cannot pay for, without retrying each of them. */
  function publishAnswer(orgId: string, answer: Reserved): void {
    if (answer.grantedMicro !== undefined || answer.whose === 'member') return;
    for (const waiter of lines.get(orgId)?.waiters ?? []) if (answer.capMicro - answer.usedMicro < waiter.minimumMicro) waiter.settle(answer);
  }

  return {
    async reserve(orgId, minimumMicro, tryNow, signal) {
      const until = now() + waitMs();
      let chance: (() => void) | undefined;
      let hasChance = false;
      let settled: Reserved | undefined;
      const waiter: Waiter = {
        minimumMicro,
        settle(answer) {
          settled = answer;
          waiter.wake();
        },
        wake() {
          hasChance = true;
          chance?.();
        },
      };
      const onAbort = (): void => waiter.wake();
      try {
        // Queues a new call behind waiting ones.
        let answer = lines.has(orgId) ? undefined : await tryNow();
        if (answer && !isShort(answer, minimumMicro)) return answer;
        signal.throwIfAborted();
        signal.addEventListener('abort', onAbort, { once: true });
        enqueue(orgId, waiter);
        for (;;) {
          const left = until - now();
          if (!hasChance && left > 0) {
            const timer = setTimeout(() => chance?.(), left);
            await new Promise<void>((resolve) => (chance = resolve));
            clearTimeout(timer);
          }
          signal.throwIfAborted();
          if (settled) return settled;
          hasChance = false;
          answer = await tryNow();
          if (!isShort(answer, minimumMicro) || now() >= until) {
            publishAnswer(orgId, answer);
            return answer;
          }
        }
      } finally {
        signal.removeEventListener('abort', onAbort);
        leave(orgId, waiter);
      }
    },
    freed: (orgId) => lines.get(orgId)?.waiters[0]?.wake(),
    waiting: () => [...lines.values()].reduce((sum, { waiters }) => sum + waiters.length, 0),
  };
}

/** Returns whether the credit is currently insufficient, but would suffice if other calls use less than they have reserved. */
function isShort({ grantedMicro, capMicro, usedMicro }: Reserved, minimumMicro: number): boolean {
  return grantedMicro === undefined && capMicro - usedMicro >= minimumMicro;
}
