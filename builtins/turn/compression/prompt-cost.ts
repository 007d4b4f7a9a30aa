// What a shorter conversation costs until the context is full again: the fewer rounds it lasts, the dearer the break in the prompt cache. Pure.
import type { ModelMessage } from 'agent-harness/plugins/models';
import { charsOfAll } from './measure.ts';

/** What providers take for text that they find in their cache, of what they take for other text. */
const cachedPrice = 0.1;

export interface Shortening {
  /** All lengths are in UTF-16 units: of the conversation once it is shorter. */
  readonly size: number;
  /** The part of it that stands behind the first change, so that no cache has it. */
  readonly fresh: number;
  /** The conversation may grow to it. */
  readonly room: number;
  /** In each round. */
  readonly growth: number;
}

/** For one round, on average, besides what is new in it. */
export function costOf({ size, fresh, room, growth }: Shortening): number {
  const rounds = (room - size) / Math.max(1, growth);
  if (rounds <= 0) return Number.POSITIVE_INFINITY;
  return ((1 - cachedPrice) * fresh) / Math.max(1, rounds) + (cachedPrice * (size + room)) / 2;
}

export function growthOf(messages: readonly ModelMessage[]): number {
  const rounds = messages.filter(({ role }) => role === 'assistant').length;
  return charsOfAll(messages) / Math.max(1, rounds);
}
