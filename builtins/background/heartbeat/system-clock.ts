// Implements the heartbeat's clock with the system clock; tests replace it.
import { uptime } from 'node:os';
import type { BeatClock } from './beats.ts';

export const systemClock: BeatClock = {
  now: Date.now,
  up: () => uptime() * 1_000,
  /** @returns a function that cancels the timer */
  after(ms, work) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};
