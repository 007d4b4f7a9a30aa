// Applies events to the state of a viewed chat.
import { reduce } from 'agent-harness/transcript';
import type { WireEvent } from './api.ts';
import type { ChatState } from './state.ts';

export interface ReducedChat {
  readonly state: ChatState;
  /** Whether earlier events were missed and the transcript must be reloaded. */
  readonly needsReload: boolean;
}

/** Applies events. @param events events of this chat, in order @param now time of this process, in milliseconds */
export function reduceEvents(before: ChatState, events: readonly WireEvent[], now: number): ReducedChat {
  const { state, hasGap, hasSign } = reduce(before, events);
  return { state: hasSign && state.lastSignAt !== now ? { ...state, lastSignAt: now } : state, needsReload: hasGap };
}
