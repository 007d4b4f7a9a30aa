// Makes and recognises ids: a prefix and a ULID.
import { monotonicFactory } from 'ulidx';
import type { Storage } from 'agent-harness/plugins/storage';

export type Ids = Pick<Storage, 'createId' | 'isId'>;

/** 48 bits of time fit into ten characters of which the first is at most 7. */
const ulidPattern = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Ids of one factory are strictly increasing, also within a millisecond and when the clock is set back. */
export function createIds(): Ids {
  const nextUlid = monotonicFactory();
  return {
    createId: (prefix) => `${prefix}_${nextUlid()}`,
    isId: (prefix, text): text is string => typeof text === 'string' && text.startsWith(`${prefix}_`) && ulidPattern.test(text.slice(prefix.length + 1)),
  };
}
