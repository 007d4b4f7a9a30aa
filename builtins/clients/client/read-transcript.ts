// Builds the state of a chat from a page of its transcript and its status.
import { isQueued, joinPages, withWait, type Entry, type RunningTurn } from 'agent-harness/transcript';
import type { ReplyOf } from './api.ts';
import type { ChatState } from './state.ts';

export type TranscriptPage = ReplyOf<'GET /api/chats/:id/transcript'>;
export type ChatStatus = ReplyOf<'GET /api/status'>['chats'][number];

export interface ChatSources {
  readonly page: TranscriptPage;
  /** Status of this chat; omitted if there is none. */
  readonly status?: ChatStatus;
}

/** Builds the state of a chat. @param before the known state; unchanged parts keep their object identity, and older pages are retained */
export function readTranscript(before: ChatState, { page, status }: ChatSources): ChatState {
  const read = entriesOf(page);
  const running = runningOf(page.running, status);
  const { running: _running, before: _before, ...rest } = before;
  const older = olderThan(before.entries, read);
  const entries = keepKnown(older.length > 0 ? joinPages(older, read) : read, before.entries);
  const cursor = older.length > 0 ? before.before : page.cursor;
  const waiting = entries.flatMap((entry) => (entry.kind === 'tool' && entry.state === 'waiting' ? [entry] : []));
  return {
    ...rest,
    isLoaded: true,
    entries: withLocalNotes(entries, before.entries),
    approvals: waiting.flatMap(({ approval, decision }) => (approval && !decision ? [approval] : [])),
    questions: waiting.flatMap(({ question, answer }) => (question && answer === undefined ? [question] : [])),
    ...(cursor === undefined ? {} : { before: cursor }),
    ...(running ? { running } : {}),
  };
}

/** Returns the entries of a page with typed views; the API document leaves these types open. */
function entriesOf({ entries }: TranscriptPage): readonly Entry[] {
  return entries;
}

/** Adds the entries of an older page before the known ones. */
export function prependPage(state: ChatState, page: TranscriptPage): ChatState {
  const { before: _before, ...rest } = state;
  return {
    ...rest,
    entries: joinPages(entriesOf(page), state.entries),
    ...(page.cursor === undefined ? {} : { before: page.cursor }),
  };
}

/** Returns the running turn of a page with its wait state from the status, which is more precise than the events. */
function runningOf(page: RunningTurn | undefined, status: ChatStatus | undefined): RunningTurn | undefined {
  if (!status?.busy || status.turnId === undefined || (page && page.turnId !== status.turnId)) return page;
  const { turnId, since, waitingFor = 'model' } = status;
  return withWait(page, { turnId, waitingFor: waitingFor, since });
}

/** Returns the known entries of older pages that come directly before the newest page. */
function olderThan(known: readonly Entry[], read: readonly Entry[]): readonly Entry[] {
  const ids = new Set(read.map((entry) => entry.id));
  const [first] = read;
  if (!first || !known.some((entry) => ids.has(entry.id))) return [];
  return known.filter((entry) => entry.at <= first.at && !ids.has(entry.id) && !isLocal(entry));
}

/** Adds data that only the stream provides; returns the same entry if nothing differs. */
function keepKnown(entries: readonly Entry[], known: readonly Entry[]): Entry[] {
  const byId = new Map(known.map((entry) => [entry.id, entry]));
  return entries.map((entry) => {
    const old = byId.get(entry.id);
    if (!old || old === entry || old.kind !== entry.kind) return entry;
    const merged = old.kind === 'tool' && old.compose?.isDone ? { ...entry, compose: old.compose } : entry;
    return JSON.stringify(sorted(merged)) === JSON.stringify(sorted(old)) ? old : merged;
  });
}

function sorted(entry: Entry): unknown {
  return Object.entries(entry).sort(([left], [right]) => (left < right ? -1 : 1));
}

export const localPrefix = 'ui_';

function isLocal(entry: Entry): boolean {
  return entry.id.startsWith(localPrefix);
}

/** Inserts client-only lines in order of time. */
function withLocalNotes(entries: Entry[], known: readonly Entry[]): Entry[] {
  for (const note of known.filter(isLocal)) {
    let at = entries.length;
    while (at > 0 && ((entries[at - 1]?.at ?? '') > note.at || isQueued(entries[at - 1]))) at--;
    if (at > 0 || entries.length === 0) entries.splice(at, 0, note);
  }
  return entries;
}
