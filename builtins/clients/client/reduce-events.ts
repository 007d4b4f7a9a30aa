// What events make of a chat. Pure: what did not change keeps its identity, and arrays are copied once for each batch.
import type { WireEvent } from './api.ts';
import { takers } from './event-takers.ts';
import type { Batch } from './batch.ts';
import type { TakenKind } from './event-fields.ts';
import { createEntryList } from './entry-list.ts';
import type { ChatState } from './state.ts';

export interface Reduced {
  readonly state: ChatState;
  /** Something that came before is missing: read the transcript. */
  readonly needsReload: boolean;
}

type Taker = (batch: Batch, event: WireEvent) => void;

/** Signs of work; `harness_running` proves no more than that the connection is warm. */
const signs = /^(?:text|tool_\w+|compose_preview|approval_decision|ask_user\w*|turn_\w+|steer_heard|subtask_\w+)$/;

/** @param events of this chat, in order @param now milliseconds of this process */
export function reduceEvents(state: ChatState, events: readonly WireEvent[], now: number): Reduced {
  const batch: Batch = { entries: createEntryList(state.entries), chat: { ...state }, needsReload: false };
  for (const event of events) {
    const take = Object.hasOwn(takers, event.kind) ? (takers[event.kind as TakenKind] as Taker) : undefined;
    take?.(batch, event);
    if (batch.chat.lastSignAt !== now && signs.test(event.kind)) batch.chat.lastSignAt = now;
  }
  batch.chat.entries = batch.entries.done();
  return { state: isSame(state, batch.chat) ? state : batch.chat, needsReload: batch.needsReload };
}

function isSame(left: ChatState, right: ChatState): boolean {
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]) as Set<keyof ChatState>;
  for (const key of keys) if (!Object.is(left[key], right[key])) return false;
  return true;
}
