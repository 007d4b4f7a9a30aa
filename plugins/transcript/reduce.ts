// Applies events to the state of a chat. Pure: unchanged parts keep their identity, and arrays are copied once per batch.
import type { Batch, EventHead } from './batch.ts';
import { createEntryList } from './entry-list.ts';
import { addNote, interrupt, reducers } from './event-reducers.ts';
import type { EventKind } from './events.ts';
import type { Transcript } from './state.ts';
import { isOver } from './tool-reducers.ts';

/** Any event of a chat; its kind determines its other fields. */
export interface ChatEvent extends EventHead {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the kind of the event determines the type
  readonly [field: string]: any;
}

/** Display data of an event whose kind the platform does not define. The event's plugin computes the data, and the journal stores it in the `shown` field. */
export interface ShownNote {
  /** Sentence for users. */
  readonly text: string;
  /** JSON for a custom view with more data than the sentence. */
  readonly data?: unknown;
  /** Whether the note belongs to no turn, regardless of the event's turn. */
  readonly isOutsideTurn?: true;
}

export interface Reduced<T> {
  readonly state: T;
  /** Whether earlier events are missing; the transcript must be loaded again. */
  readonly hasGap: boolean;
  /** Whether the events show activity of the agent. */
  readonly hasSign: boolean;
}

type Reducer = (batch: Batch, event: ChatEvent) => void;

/** Matches kinds of events that show activity. Does not match `harness_running`, which only proves that the connection is alive. */
const signs = /^(?:text|tool_\w+|compose_preview|approval_\w+|ask_user\w*|turn_\w+|steer_heard|subtask_\w+)$/;
/** Kinds of events that occur only between the start and the end of a turn. A reader that starts in the middle infers from them that a turn is running. */
export const insideTurn: ReadonlySet<string> = new Set<EventKind>(['text', 'tool_start', 'tool_running', 'tool_delta']);

/** Returns the state after the events. @param events events of this chat, in order */
export function reduce<T extends Transcript>(state: T, events: Iterable<ChatEvent>): Reduced<T> {
  const batch: Batch & { readonly chat: T } = { entries: createEntryList(state.entries), chat: { ...state }, hasGap: false };
  let hasSign = false;
  for (const event of events) {
    const { kind, turnId, at } = event;
    if (batch.chat.running === undefined && turnId !== undefined && insideTurn.has(kind))
      (batch as Batch).chat.running = { turnId, startedAt: at, waitingFor: 'model', since: at };
    if (Object.hasOwn(reducers, kind)) (reducers[kind as keyof typeof reducers] as Reducer)(batch, event);
    else if (event['shown'] !== undefined) show(batch, event);
    hasSign ||= signs.test(kind);
  }
  (batch as Batch).chat.entries = batch.entries.done();
  return { state: isSame(state, batch.chat) ? state : batch.chat, hasGap: batch.hasGap, hasSign };
}

/** Closes all open entries as if no turn were running. For idle chats, and for all pages except the newest. */
export function settle<T extends Transcript>(state: T): T {
  const entries = createEntryList(state.entries);
  entries.backwards((entry) => {
    if (entry.kind === 'user' && entry.state === 'queued') entries.edit(entry).state = 'accepted';
    if (entry.kind === 'assistant' && entry.isStreaming) entries.edit(entry).isStreaming = false;
    if (entry.kind === 'tool' && !isOver(entry)) interrupt(entries.edit(entry));
    return true;
  });
  const { running: _running, ...rest } = state;
  return { ...rest, entries: entries.done(), approvals: [], questions: [] } as unknown as T;
}

function show(batch: Batch, event: ChatEvent): void {
  const { text, data, isOutsideTurn } = (event['shown'] ?? {}) as Partial<ShownNote>;
  if (typeof text !== 'string') return;
  const { turnId: _turnId, ...alone } = event;
  addNote(batch, isOutsideTurn === true ? alone : event, { kind: 'system', text, code: event.kind, ...(data === undefined ? {} : { data }) });
}

function isSame<T extends object>(left: T, right: T): boolean {
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]) as Set<keyof T>;
  for (const key of keys) if (!Object.is(left[key], right[key])) return false;
  return true;
}
