// Counts wrong tokens and codes by peer.
import { networkOf } from 'agent-harness/lib/hosts';
import { BoundedMap } from 'agent-harness/lib/values';

export interface Attempts {
  /** Seconds until the peer may try again; 0 when it may now. */
  secondsLeft(peer: string): number;
  /** Notes a wrong token. */
  fail(peer: string): void;
  /** Takes one back that turned out to be right. */
  forgive(peer: string): void;
}

const windowMs = 60_000;
/** Enough for any honest use; keeps a flood of addresses from filling the memory. */
const maxPeers = 10_000;

/** @param limit wrong ones that a peer has in a minute */
export function createAttempts(now: () => number, limit: () => number): Attempts {
  const windows = new BoundedMap<string, { begun: number; failures: number }>(maxPeers);

  function windowOf(peer: string): { begun: number; failures: number } | undefined {
    const window = windows.get(networkOf(peer));
    return window && now() - window.begun < windowMs ? window : undefined;
  }

  return {
    secondsLeft(peer) {
      const window = windowOf(peer);
      return window && window.failures >= limit() ? Math.max(1, Math.ceil((window.begun + windowMs - now()) / 1000)) : 0;
    },
    fail(peer) {
      const window = windowOf(peer);
      if (window) {
        window.failures++;
        return;
      }
      windows.set(networkOf(peer), { begun: now(), failures: 1 });
    },
    forgive(peer) {
      const window = windowOf(peer);
      if (window && window.failures > 0) window.failures--;
    },
  };
}
