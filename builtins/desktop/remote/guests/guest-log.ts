// Logs the activity of guests: joining, leaving, and one line with the number of inputs per burst.
import type { RemoteSessionEvent } from 'agent-harness/builtins/desktop/remote';

export interface GuestLog {
  note(event: RemoteSessionEvent): void;
  /** @param tell receives the number after a short pause, or at intervals during continuous input */
  countInput(guestId: string, tell: (inputs: number) => void): void;
  /** Logs the inputs that have not been logged yet. */
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

/** @param now returns the time of a monotonic clock in milliseconds */
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
