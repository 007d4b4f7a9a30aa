// Counts wrong tokens and codes by peer.
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

/** One IPv6 customer has a whole /64, so that counts as one peer. An address with a colon is one: node's own pattern takes a millisecond to compile. */
function networkOf(peer: string): string {
  if (!peer.includes(':')) return peer;
  const [head = '', tail] = peer.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  const all = [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail ? tail.split(':') : [])];
  return all.slice(0, 4).join(':');
}
