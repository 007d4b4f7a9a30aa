// Records running model calls and their current cost in the database, so that any node can settle an expired reservation.
import type { Ledger } from './ledger.ts';

export interface Progress {
  /** Marks a call as sent. */
  began(holdId: string, estimateMicro: () => number): void;
  /** Marks a call as settled or released. */
  ended(holdId: string): void;
  dispose(): void;
}

/** Delay before updates are written together, in milliseconds. */
const gatherMs = 20;

/** Records new calls immediately, batched while a statement is running. @param everyMs update interval of long calls in milliseconds */
export function createProgress(touch: Ledger['touch'], everyMs: number, onFault: (fault: unknown) => void): Progress {
  const live = new Map<string, () => number>();
  const due = new Set<string>();
  let isWriting = false;
  let waiting: NodeJS.Timeout | undefined;
  const timer = setInterval(() => {
    for (const holdId of live.keys()) due.add(holdId);
    write();
  }, everyMs).unref();

  function write(): void {
    if (isWriting || due.size === 0) return;
    isWriting = true;
    const calls = [...due].flatMap((holdId) => {
      const estimate = live.get(holdId);
      return estimate ? [{ holdId, estimateMicro: estimate() }] : [];
    });
    due.clear();
    if (calls.length === 0) {
      isWriting = false;
      return;
    }
    touch(calls)
      .catch(onFault)
      .finally(() => {
        isWriting = false;
        write();
      });
  }

  return {
    began(holdId, estimateMicro) {
      live.set(holdId, estimateMicro);
      due.add(holdId);
      // Delayed until after the requests have been sent, and batched for all calls that start now.
      waiting ??= setTimeout(() => {
        waiting = undefined;
        write();
      }, gatherMs);
    },
    ended(holdId) {
      live.delete(holdId);
      due.delete(holdId);
    },
    dispose() {
      clearInterval(timer);
      clearTimeout(waiting);
    },
  };
}
