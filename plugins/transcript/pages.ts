// Splits a transcript into pages: finds the events at which a page may begin, and joins pages. Pure.
import type { JournalEvent } from 'agent-harness/plugins/chats';
import type { EventKind } from './events.ts';
import { emptyTranscript, type Entry, type Transcript } from './state.ts';
import { insideTurn, reduce, settle } from './reduce.ts';

/** Collects the events of a page, newest first. */
export interface PageWindow {
  /** Returns whether a page may begin after this event: it has enough entries, and none of them continues before it. */
  isCompleteBefore(event: JournalEvent): boolean;
  take(event: JournalEvent): void;
  /** Returns the transcript of the page's events. @param isOver whether no entry of the page can still change */
  transcript(isOver: boolean): Transcript;
  /** The id of the newest event of the page. */
  readonly upTo: number | undefined;
}

const begins: { readonly [K in 'message' | 'announcement' | 'turn' | 'call' | 'text']: EventKind } = {
  message: 'message_accepted',
  announcement: 'announcement',
  turn: 'turn_start',
  call: 'tool_start',
  text: 'text',
};
const ends: ReadonlySet<string> = new Set<EventKind>(['turn_end', 'tool_result', 'conversation_reset']);
const betweenTurns: ReadonlySet<string> = new Set<EventKind>(['turn_end', 'conversation_reset']);
/** Kinds of events after which it is known whether a turn is running. */
const placing: ReadonlySet<string> = new Set([begins.turn, ...insideTurn, ...betweenTurns]);
const asks: ReadonlySet<string> = new Set<EventKind>(['usage', 'provider_retry']);
/** Kinds of events that are separate entries. */
const alone: ReadonlySet<string> = new Set<EventKind>(['error', 'conversation_reset']);

/** Creates the window of a page. @param limit minimum number of entries, if that many exist */
export function createPageWindow(limit: number): PageWindow {
  const newestFirst: JournalEvent[] = [];
  const entryIds = new Set<string>();
  /** Ids of calls whose start is not on the page yet. */
  const open = new Set<string>();
  /** Whether the oldest event of the page is a message that may be queued behind a turn. */
  let isUnplaced = false;
  /** Whether a turn ended on the page whose last reply, which displays the duration, is not on the page yet. */
  let isUntimed = false;
  /** Whether text before this position belongs to a failed attempt. */
  let isVoid = false;

  return {
    isCompleteBefore(event) {
      if (entryIds.size < limit || open.size > 0 || isUntimed || !endsReply(event)) return false;
      if (isUnplaced && !betweenTurns.has(event.kind)) return false;
      const callId = callOf(event);
      return callId === undefined || !entryIds.has(callId);
    },
    take(event) {
      newestFirst.push(event);
      const { kind, messageId } = event;
      const callId = callOf(event);
      if (kind === begins.message && event['isSteer'] !== true) isUnplaced = true;
      else if (placing.has(kind)) isUnplaced = false;
      if (kind === 'turn_end') isUntimed = true;
      else if (kind === begins.turn || callId !== undefined || (kind === begins.text && !isVoid && event['channel'] !== 'trace')) isUntimed = false;
      if (asks.has(kind) || ends.has(kind)) isVoid = kind === 'provider_retry';
      if (kind === begins.turn) open.clear();
      else if (callId !== undefined) {
        entryIds.add(callId);
        if (kind === begins.call && event['args'] === undefined) open.delete(callId);
        else open.add(callId);
      } else if (kind === begins.text || kind === begins.message || kind === begins.announcement) entryIds.add(String(messageId));
      else if (alone.has(kind) || event['shown'] !== undefined) entryIds.add(String(event.id));
    },
    transcript(isOver) {
      const { state } = reduce(emptyTranscript, newestFirst.toReversed());
      return isOver ? settle(state) : state;
    },
    get upTo() {
      return newestFirst[0]?.id;
    },
  };
}

/**
 * Joins the entries of consecutive pages by turn, in the order of the turns' messages. A message sent during another turn is placed at the start of its turn.
 */
export function joinPages(older: readonly Entry[], newer: readonly Entry[]): Entry[] {
  const known = new Set(newer.map((entry) => entry.id));
  const entries = [...older.filter((entry) => !known.has(entry.id)), ...newer];
  const ranks = new Map<string, number>();
  entries.forEach(({ kind, turnId }, at) => {
    if (kind === 'user' && turnId !== undefined && !ranks.has(turnId)) ranks.set(turnId, at);
  });
  // A turn whose message is on an older page comes first; entries outside turns stay after their predecessor.
  let last = -1;
  const ranked = entries.map((entry) => {
    if (entry.turnId !== undefined) last = ranks.get(entry.turnId) ?? -1;
    return { entry, rank: last };
  });
  return ranked.sort((left, right) => left.rank - right.rank).map(({ entry }) => entry);
}

/**
 * Returns whether no reply continues after the event: the turn ended, a call ran, the provider ended the reply, or the model is called again.
 */
function endsReply({ kind, purpose = 'chat' }: JournalEvent): boolean {
  return ends.has(kind) || (asks.has(kind) && purpose === 'chat');
}

function callOf(event: JournalEvent): string | undefined {
  const { callId } = event;
  return typeof callId === 'string' ? callId : undefined;
}
