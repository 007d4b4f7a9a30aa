// Creates and validates ids: a prefix and a ULID.
import { randomFillSync } from 'node:crypto';
import { monotonicFactory } from 'ulidx';
import type { Storage } from 'agent-harness/plugins/storage';

export type Ids = Pick<Storage, 'createId' | 'isId'>;

/** Matches a ULID. Its first ten characters are 48 bits of time, so the first one is at most 7. */
const ulidPattern = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Creates a factory whose ids strictly increase, even within a millisecond and after the clock was set back. */
export function createIds(): Ids {
  const nextUlid = monotonicFactory(createRandom());
  return {
    createId: (prefix) => `${prefix}_${nextUlid()}`,
    isId: (prefix, text): text is string => typeof text === 'string' && text.startsWith(`${prefix}_`) && ulidPattern.test(text.slice(prefix.length + 1)),
  };
}

/** Returns random numbers from 0 up to 1. Requests them from the system in batches, because a ULID needs sixteen. */
function createRandom(): () => number {
  const pool = new Uint8Array(1024);
  let used = pool.length;
  return () => {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    return (pool[used++] ?? 0) / 256;
  };
}
