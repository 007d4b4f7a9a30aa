// Logs guests: who joined and left, and how much they did, in one line per burst.
import type { RemoteSessionEvent } from 'agent-harness/builtins/desktop/remote';

export interface GuestLog {
  note(event: RemoteSessionEvent): void;
  /** @param tell gets the number, once there was a short pause or it has gone on for long */
  countInput(guestId: string, tell: (inputs: number) => void): void;
  /** Reports what is not reported yet. */
  flush(guestId: string): void;
}

interface Burst {
  count: number;
  readonly begun: number;
  timer: NodeJS.Timeout;
  readonly tell: (inputs: number) => void;
}

const quietMs = 3_000;
const longestMs = 30_000;

/** @param now milliseconds of a monotonic clock */
export function createGuestLog(write: (event: RemoteSessionEvent) => void, now: () => number): GuestLog {
  const bursts = new Map<string, Burst>();

  function flush(guestId: string): void {
    const burst = bursts.get(guestId);
    if (!burst) return;
    bursts.delete(guestId);
    clearTimeout(burst.timer);
    burst.tell(burst.count);
  }

  function wait(guestId: string): NodeJS.Timeout {
    const timer = setTimeout(() => flush(guestId), quietMs);
    timer.unref();
    return timer;
  }

  return {
    note: write,
    countInput(guestId, tell) {
      const burst = bursts.get(guestId);
      if (!burst) {
        bursts.set(guestId, { count: 1, begun: now(), tell, timer: wait(guestId) });
        return;
      }
      burst.count++;
      if (now() - burst.begun > longestMs) flush(guestId);
      else {
        clearTimeout(burst.timer);
        burst.timer = wait(guestId);
      }
    },
    flush,
  };
}
