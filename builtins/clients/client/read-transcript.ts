// The state of a chat from what the server keeps: its transcript, what waits for a person, and what runs.
import type { ReplyOf } from './api.ts';
import { isQueued } from './entry-list.ts';
import type { ChatState, Entry, RunningTurn, ToolEntry, UserEntry } from './state.ts';
import { readEntry } from './transcript-entries.ts';
import { approvalOf, questionOf } from './tool-takers.ts';

export type TranscriptPage = ReplyOf<'GET /api/chats/:id/transcript'>;
export type Pending = ReplyOf<'GET /api/pending'>;
export type ChatStatus = ReplyOf<'GET /api/status'>['chats'][number];

export interface ChatSources {
  readonly page: TranscriptPage;
  readonly pending: Pending;
  /** Of this chat; left out where the server says nothing of it. */
  readonly status?: ChatStatus;
}

/** @param before what was known; what did not change keeps its identity, and older pages stay where they join */
export function readTranscript(before: ChatState, { page, pending, status }: ChatSources): ChatState {
  const { chatId } = before;
  const running = runningOf(before.running, status);
  const approvals = pending.approvals.filter((one) => one.chatId === chatId).map((one) => approvalOf({ ...one }));
  const questions = pending.questions.filter((one) => one.chatId === chatId).map((one) => questionOf({ ...one }));
  const read = page.entries.map((entry) => readEntry(entry, { chatId, approvals, questions, running }));
  const { running: _running, before: _before, ...rest } = before;
  const older = olderThan(before.entries, read);
  const ordered = orderByTurn([...older, ...read]);
  const entries = keepKnown(markStreaming(markQueued(ordered, running), running), before.entries);
  const cursor = older.length > 0 ? before.before : page.cursor;
  return {
    ...rest,
    isLoaded: true,
    entries: withLocalNotes(entries, before.entries),
    approvals: approvals.map((one) => before.approvals.find((known) => known.approvalId === one.approvalId) ?? one),
    questions: questions.map((one) => before.questions.find((known) => known.askId === one.askId) ?? one),
    ...(cursor === undefined ? {} : { before: cursor }),
    ...(running ? { running } : {}),
  };
}

/** Puts the page before the entries there are. */
export function prependPage(state: ChatState, page: TranscriptPage): ChatState {
  const known = new Set(state.entries.map((entry) => entry.id));
  const read = page.entries.map((entry) => readEntry(entry, { ...state, running: state.running }));
  const { before: _before, ...rest } = state;
  return {
    ...rest,
    entries: orderByTurn([...read.filter((entry) => !known.has(entry.id)), ...state.entries]),
    ...(page.cursor === undefined ? {} : { before: page.cursor }),
  };
}

/** One turn after the other, in the order of their messages: one that was written while another turn ran stands where its own begins. */
export function orderByTurn(entries: readonly Entry[]): Entry[] {
  const ranks = new Map<string, number>();
  entries.forEach(({ kind, turnId }, at) => {
    if (kind === 'user' && turnId !== undefined && !ranks.has(turnId)) ranks.set(turnId, at);
  });
  // A turn whose message is on an older page comes first; what belongs to no turn stays behind what was before it.
  let last = -1;
  const ranked = entries.map((entry) => {
    if (entry.turnId !== undefined) last = ranks.get(entry.turnId) ?? -1;
    return { entry, rank: last };
  });
  return ranked.sort((left, right) => left.rank - right.rank).map(({ entry }) => entry);
}

function runningOf(known: RunningTurn | undefined, status: ChatStatus | undefined): RunningTurn | undefined {
  if (!status?.busy || status.turnId === undefined) return undefined;
  const { turnId, since, waitingFor = 'model' } = status;
  if (known?.turnId === turnId) return known.waitingFor === waitingFor ? known : { ...known, waitingFor, since };
  return { turnId, startedAt: since, waitingFor, since };
}

function markQueued(entries: readonly Entry[], running: RunningTurn | undefined): Entry[] {
  const marked = [...entries];
  if (!running) return marked;
  for (let at = marked.length - 1; at >= 0; at--) {
    const entry = marked[at];
    if (entry?.kind !== 'user' || entry.isSteer === true || entry.turnId === running.turnId) break;
    marked[at] = { ...entry, state: 'queued' };
  }
  return marked;
}

/** While the model is waited for, the reply at the end of its turn is the one that it writes. */
function markStreaming(entries: Entry[], running: RunningTurn | undefined): Entry[] {
  if (running?.waitingFor !== 'model' && running?.waitingFor !== 'retry') return entries;
  let at = entries.length - 1;
  while (isQueued(entries[at]) || isWriting(entries[at])) at--;
  const reply = entries[at];
  if (reply?.kind === 'assistant' && reply.turnId === running.turnId) entries[at] = { ...reply, isStreaming: true };
  return entries;
}

function isWriting(entry: Entry | undefined): boolean {
  return entry?.kind === 'tool' && entry.state === 'writing';
}

/** Entries of older pages, where the newest page joins them. */
function olderThan(known: readonly Entry[], read: readonly Entry[]): readonly Entry[] {
  const ids = new Set(read.map((entry) => entry.id));
  const [first] = read;
  if (!first || !known.some((entry) => ids.has(entry.id))) return [];
  return known.filter((entry) => entry.at <= first.at && !ids.has(entry.id) && !isLocal(entry));
}

/** With what only the stream told; the very entry where nothing differs. */
function keepKnown(entries: readonly Entry[], known: readonly Entry[]): Entry[] {
  const byId = new Map(known.map((entry) => [entry.id, entry]));
  return entries.map((entry) => {
    const old = byId.get(entry.id);
    if (!old || old === entry || old.kind !== entry.kind) return entry;
    const merged = old.kind === 'tool' ? mergeCalls(old, entry as ToolEntry) : old.kind === 'user' ? mergeMessages(old, entry as UserEntry) : entry;
    return JSON.stringify(sorted(merged)) === JSON.stringify(sorted(old)) ? old : merged;
  });
}

function mergeCalls(old: ToolEntry, entry: ToolEntry): ToolEntry {
  return {
    ...entry,
    progress: old.progress,
    ...(old.messageId === undefined ? {} : { messageId: old.messageId }),
    ...(old.isUntrusted === undefined ? {} : { isUntrusted: old.isUntrusted }),
    ...(old.compose?.isDone ? { compose: old.compose } : {}),
    ...(old.approval && entry.approval ? { approval: old.approval } : {}),
    ...(old.question && entry.question ? { question: old.question } : {}),
  };
}

function mergeMessages(old: UserEntry, entry: UserEntry): UserEntry {
  return { ...entry, ...(old.clientId === undefined ? {} : { clientId: old.clientId }) };
}

function sorted(entry: Entry): unknown {
  return Object.entries(entry).sort(([left], [right]) => (left < right ? -1 : 1));
}

export const localPrefix = 'ui_';

function isLocal(entry: Entry): boolean {
  return entry.id.startsWith(localPrefix);
}

/** Lines that only this client shows go where they were in time. */
function withLocalNotes(entries: Entry[], known: readonly Entry[]): Entry[] {
  for (const note of known.filter(isLocal)) {
    let at = entries.length;
    while (at > 0 && ((entries[at - 1]?.at ?? '') > note.at || isQueued(entries[at - 1]))) at--;
    if (at > 0 || entries.length === 0) entries.splice(at, 0, note);
  }
  return entries;
}
