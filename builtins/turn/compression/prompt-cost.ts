// Estimates the average cost per round of a shortened conversation until the context window is full again, including the prompt cache miss. Pure.
import type { ModelMessage } from 'agent-harness/plugins/models';
import { charsOfAll } from './measure.ts';

/** Price of cached text relative to uncached text. */
const cachedPrice = 0.1;

export interface Shortening {
  /** Length of the shortened conversation. All lengths are in UTF-16 code units. */
  readonly size: number;
  /** Length of the part after the first change, which is not cached. */
  readonly fresh: number;
  /** Maximum length of the conversation. */
  readonly room: number;
  /** Growth of the conversation per round. */
  readonly growth: number;
}

/** Returns the average cost per round, without the cost of new text. */
export function costOf({ size, fresh, room, growth }: Shortening): number {
  const rounds = (room - size) / Math.max(1, growth);
  if (rounds <= 0) return Number.POSITIVE_INFINITY;
  return ((1 - cachedPrice) * fresh) / Math.max(1, rounds) + (cachedPrice * (size + room)) / 2;
}

export function growthOf(messages: readonly ModelMessage[]): number {
  const rounds = messages.filter(({ role }) => role === 'assistant').length;
  return charsOfAll(messages) / Math.max(1, rounds);
}
