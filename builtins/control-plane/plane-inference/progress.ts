// Tells the database which calls are on their way and what they came to, so that whoever finds their holds later knows what to settle.
import type { Ledger } from './ledger.ts';

export interface Progress {
  /** The request goes out now. */
  began(holdId: string, estimateMicro: () => number): void;
  /** It is settled or given back. */
  ended(holdId: string): void;
  dispose(): void;
}

const gatherMs = 20;

/** @param everyMs how often calls that last are told of again. Those that begin are told of at once, all in one statement while another is on its way. */
export function createProgress(touch: Ledger['touch'], everyMs: number, onFault: (fault: unknown) => void): Progress {
  const live = new Map<string, () => number>();
  const due = new Set<string>();
  let isTelling = false;
  let waiting: NodeJS.Timeout | undefined;
  const timer = setInterval(() => {
    for (const holdId of live.keys()) due.add(holdId);
    tell();
  }, everyMs).unref();

  function tell(): void {
    if (isTelling || due.size === 0) return;
    isTelling = true;
    const calls = [...due].flatMap((holdId) => {
      const estimate = live.get(holdId);
      return estimate ? [{ holdId, estimateMicro: estimate() }] : [];
    });
    due.clear();
    if (calls.length === 0) {
      isTelling = false;
      return;
    }
    touch(calls)
      .catch(onFault)
      .finally(() => {
        isTelling = false;
        tell();
      });
  }

  return {
    began(holdId, estimateMicro) {
      live.set(holdId, estimateMicro);
      due.add(holdId);
      // Behind what is being sent to the provider, and for all that begin in this moment at once.
      waiting ??= setTimeout(() => {
        waiting = undefined;
        tell();
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
