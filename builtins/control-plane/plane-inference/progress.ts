// Records running calls and their current cost in the database, so that any node can settle an expired hold.
import type { Ledger } from './ledger.ts';

export interface Progress {
  /** The request is sent now. */
  began(holdId: string, estimateMicro: () => number): void;
  /** It is settled or released. */
  ended(holdId: string): void;
  dispose(): void;
}

const gatherMs = 20;

/** @param everyMs how often long calls are updated. New ones are recorded at once, all in one statement while another is under way. */
export function createProgress(touch: Ledger['touch'], everyMs: number, onFault: (fault: unknown) => void): Progress {
  const live = new Map<string, () => number>();
  const due = new Set<string>();
  let isTelling = false;
  let waiting: NodeJS.Timeout | undefined;
  const timer = setInterval(() => {
    for (const holdId of live.keys()) due.add(holdId);
    write();
  }, everyMs).unref();

  function write(): void {
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
        write();
      });
  }

  return {
    began(holdId, estimateMicro) {
      live.set(holdId, estimateMicro);
      due.add(holdId);
      // After the sending to the provider, and for all that begin at this moment together.
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
