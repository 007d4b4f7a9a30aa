// Sees that the memory of the program grows while the code of one plugin runs most of the time.
import { ownerWord, wordOf } from './whose-time.ts';

export interface Growth {
  /** Of the plugin. */
  readonly place: number;
  readonly fromMb: number;
  readonly toMb: number;
}

export interface MemoryGuard {
  /** Contract: called at even intervals. Answers who is to blame, as long as the memory stays that large. */
  look(now: number): Growth | undefined;
}

/** So much more within the window is worth a note, or a quarter of the heap where that is less. */
const mostBytes = 128 * 1024 * 1024;
const windowMs = 60_000;
/** It computed for so much of the time in which the memory grew. */
const leastShare = 0.25;
const megabyte = 1024 * 1024;

/** @param rss answers bytes */
export function createMemoryGuard(words: Int32Array, heapLimit: number, rss = (): number => process.memoryUsage.rss()): MemoryGuard {
  const least = Math.min(mostBytes, heapLimit / 4);
  const busy = new Map<number, number>();
  const seen = new Int32Array(words.length);
  seen.set(words);
  let low = rss();
  let lowAt = performance.now();
  let before = lowAt;
  let growth: Growth | undefined;

  function restart(bytes: number, now: number): void {
    low = bytes;
    lowAt = now;
    busy.clear();
  }

  function countTime(sinceMs: number): void {
    const owner = words[ownerWord] ?? 0;
    const place = (at: number): number => at - wordOf(0);
    let isCounted = false;
    for (let at = wordOf(1); at < words.length; at++) {
      const tenths = (words[at] ?? 0) - (seen[at] ?? 0);
      if (tenths <= 0) continue;
      seen[at] = words[at] ?? 0;
      busy.set(place(at), (busy.get(place(at)) ?? 0) + tenths / 10);
      isCounted ||= place(at) === owner;
    }
    // A call that has not ended stands in no sum.
    if (owner > 0 && !isCounted) busy.set(owner, (busy.get(owner) ?? 0) + sinceMs);
  }

  return {
    look(now) {
      const bytes = rss();
      countTime(now - before);
      before = now;
      if (growth && bytes < (growth.fromMb + growth.toMb) * 0.5 * megabyte) growth = undefined;
      if (bytes <= low || now - lowAt > windowMs) {
        restart(bytes, now);
        return growth;
      }
      if (bytes - low < least) return growth;
      const [place, ms] = [...busy].sort(([, left], [, right]) => right - left)[0] ?? [0, 0];
      const fromMb = growth && growth.place === place ? growth.fromMb : Math.round(low / megabyte);
      if (place > 0 && ms >= (now - lowAt) * leastShare) growth = { place, fromMb, toMb: Math.round(bytes / megabyte) };
      restart(bytes, now);
      return growth;
    },
  };
}
