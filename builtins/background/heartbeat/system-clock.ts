// Provides the heartbeat's system clock, which tests replace.
import { uptime } from 'node:os';
import type { BeatClock } from './beats.ts';

export const systemClock: BeatClock = {
  now: Date.now,
  up: () => uptime() * 1_000,
  /** @returns stops the timer; owned by the caller */
  after(ms, work) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};
