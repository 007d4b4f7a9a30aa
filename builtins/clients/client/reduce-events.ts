// Applies events to the state of a viewed chat.
import { reduce } from 'agent-harness/transcript';
import type { WireEvent } from './api.ts';
import type { ChatState } from './state.ts';

export interface ReducedChat {
  readonly state: ChatState;
  /** Earlier events are missing: reload the transcript. */
  readonly needsReload: boolean;
}

/** @param events of this chat, in order @param now milliseconds of this process */
export function reduceEvents(before: ChatState, events: readonly WireEvent[], now: number): ReducedChat {
  const { state, hasGap, hasSign } = reduce(before, events);
  return { state: hasSign && state.lastSignAt !== now ? { ...state, lastSignAt: now } : state, needsReload: hasGap };
}
