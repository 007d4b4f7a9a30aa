// Defines one reducer for each kind of event that changes the display of a chat.
import { wait, withWait, type Batch, type EventHead, type ReadEvent, type Reducers } from './batch.ts';
import type { Draft } from './entry-list.ts';
import type { EventKind } from './events.ts';
import { hasGap, joinText } from './join-text.ts';
import { marked } from './removals.ts';
import type { Entry, NoteEntry, ToolEntry, UserEntry, WaitingFor } from './state.ts';
import { taskReducers } from './task-reducers.ts';
import { isOver, toolReducers } from './tool-reducers.ts';
import { endingText, nameOf, resetText, unqueuedText } from './wording.ts';

/** Kinds of events without a visible effect. */
type Unseen = 'steer_heard' | 'provider_data';

export const reducers: Reducers<Exclude<EventKind, Unseen>> = {
  message_accepted({ entries, chat }, event) {
    if (entries.find(event.messageId)) return;
    // Between two turns, no turn is running, but queued messages still come first.
    const isBehind = chat.running === undefined ? entries.hasWaiting() : chat.running.turnId !== event.turnId;
    const isQueued = event.isSteer !== true && isBehind;
    const saidBy = nameOf(event.principal);
    const entry: Entry = {
      ...basics(event, event.messageId),
      ...{ kind: 'user', text: event.text, attachments: event.attachments ?? [] },
      state: isQueued ? 'queued' : 'accepted',
      ...(event.isSteer === true ? { isSteer: true } : {}),
      ...(event.liveDictation === true ? { liveDictation: true } : {}),
      ...(event.clientId === undefined ? {} : { clientId: event.clientId }),
      ...(event.origin === undefined ? {} : { origin: event.origin }),
      ...(saidBy === undefined ? {} : { saidBy }),
    };
    if (isQueued) return entries.addLast(entry);
    entries.add(entry);
    // The turn begins with its message, even if other events come before `turn_start`.
    if (chat.running === undefined && event.turnId !== undefined)
      chat.running = { turnId: event.turnId, startedAt: event.at, waitingFor: 'model', since: event.at };
  },

  announcement({ entries }, event) {
    const { messageId, at, text, origin, channel = 'user', untrusted } = event;
    if (entries.find(messageId)) return;
    entries.add({ id: messageId, at, kind: 'announcement', text, origin, channel, ...(untrusted === true ? { untrusted } : {}) });
  },

  turn_start({ entries, chat }, event) {
    const { turnId, messageId, model, at } = event;
    if (messageId !== undefined) accept({ entries }, messageId);
    if (turnId === undefined || (chat.running?.turnId === turnId && chat.running.model !== undefined)) return;
    chat.running = { turnId, ...(model === undefined ? {} : { model }), startedAt: at, waitingFor: 'model', since: at };
  },

  text(batch, event) {
    if (event.channel === 'trace') return addTrace(batch, event);
    const { entries } = batch;
    const id = event.messageId;
    const field = event.channel === 'reasoning' ? 'reasoning' : 'text';
    const entry = entries.find(id) ?? emptyReply(event);
    if (entry.kind !== 'assistant') return;
    if (hasGap(entry[field], event.offset)) batch.hasGap = true;
    const text = joinText(entry[field], event.offset, event.delta);
    if (text !== entry[field]) {
      if (!entries.find(id)) entries.add(entry);
      const draft = entries.edit(entry);
      draft[field] = text;
      draft.isStreaming = true;
    }
    wait(batch, event, 'model');
  },

  usage(batch, event) {
    const { chat } = batch;
    const { input, output, cached, cost } = chat.usage;
    const more = { input: 0, output: 0, cached: 0, ...event };
    const sum = cost === undefined && event.cost === undefined ? {} : { cost: (cost ?? 0) + (event.cost ?? 0) };
    chat.usage = { input: input + more.input, output: output + more.output, cached: cached + more.cached, ...sum };
    if (event.purpose === 'chat' && event.turnId !== undefined) endStreaming(batch, event.turnId);
  },

  provider_retry(batch, event) {
    const { turnId } = event;
    if (turnId === undefined || (event.purpose ?? 'chat') !== 'chat') return;
    batch.entries.remove((entry) => isVoid(entry, turnId));
    wait(batch, event, 'retry');
    const { running } = batch.chat;
    if (running?.turnId !== turnId) return;
    const { attempt = 1, of = attempt, reason = '', at, delayMs = 0 } = event;
    batch.chat.running = { ...running, retry: { attempt, of, reason, until: new Date(Date.parse(at) + delayMs).toISOString() } };
  },

  turn_end(batch, event) {
    const { entries, chat } = batch;
    const { turnId } = event;
    const { durationMs } = event;
    let isLast = durationMs !== undefined;
    entries.backwards((entry) => {
      if (entry.turnId !== turnId) return;
      if (entry.kind === 'assistant' && entry.isStreaming) entries.edit(entry).isStreaming = false;
      if (entry.kind === 'assistant' && isLast) entries.edit(entry).turnMs = durationMs ?? 0;
      if (entry.kind === 'assistant' || entry.kind === 'tool') isLast = false;
      if (entry.kind === 'tool' && !isOver(entry)) interrupt(entries.edit(entry));
      // The first message of the turn; only steered messages come before it.
      if (entry.kind === 'user' && entry.isSteer !== true) {
        accept(batch, entry.id);
        return false;
      }
    });
    if (chat.running?.turnId === turnId) delete chat.running;
    if (chat.approvals.some((one) => one.turnId === turnId)) chat.approvals = chat.approvals.filter((one) => one.turnId !== turnId);
    if (chat.questions.some((one) => one.turnId === turnId)) chat.questions = chat.questions.filter((one) => one.turnId !== turnId);
    const { reason = 'done', error } = event;
    if (reason === 'error') addNote(batch, event, { kind: 'error', text: error?.message ?? endingText(reason), ...(error ? { code: error.code } : {}) });
    else if (reason !== 'done') {
      // The message states the budget and what the user must do.
      const why = reason === 'budget' && error ? ` ${error.message}` : '';
      addNote(batch, event, { kind: 'system', text: event.isUnqueued === true ? unqueuedText : `${endingText(reason)}${why}`, code: reason });
    }
  },

  harness_running({ chat }, event) {
    if (event.turnId === undefined || event.waitingFor === undefined) return;
    chat.running = withWait(chat.running, { turnId: event.turnId, waitingFor: event.waitingFor as WaitingFor, since: event.since ?? event.at });
  },

  error: (batch, event) =>
    addNote(batch, event, { kind: 'error', text: event.message ?? 'Something went wrong.', ...(event.code === undefined ? {} : { code: event.code }) }),
  entry_removed: (batch, { entryId }) => setRemoved(batch, entryId, true),
  entry_restored: (batch, { entryId }) => setRemoved(batch, entryId, false),
  conversation_reset: (batch, event) => addNote(batch, event, { kind: 'system', text: resetText, code: event.kind }),
  ...toolReducers,
  ...taskReducers,
};

/** Marks a message, a call, or a call of a task as removed or restored. */
function setRemoved({ entries }: Batch, entryId: string, isRemoved: boolean): void {
  entries.backwards((entry) => {
    const next = marked(entry, (id) => (id === entryId ? isRemoved : undefined));
    if (next === entry) return;
    const draft = entries.edit(entry);
    delete (draft as Draft<UserEntry>).isRemoved;
    Object.assign(draft, next);
    return false;
  });
}

/** Removes a message from the queue: later entries come after it. */
function accept({ entries }: Pick<Batch, 'entries'>, messageId: string): void {
  const entry = entries.find(messageId);
  if (entry?.kind !== 'user' || entry.state !== 'queued') return;
  entries.remove((one) => one === entry);
  entries.add({ ...entry, state: 'accepted' });
}

function emptyReply(event: ReadEvent<'text'>): Entry {
  return { ...basics(event, event.messageId), kind: 'assistant', text: '', reasoning: '', isStreaming: true };
}

function basics(event: { readonly at: string; readonly turnId?: string }, id: string): { id: string; at: string; turnId?: string } {
  return { id, at: event.at, ...(event.turnId === undefined ? {} : { turnId: event.turnId }) };
}

const tracePrefix = 'trace_';

/** Returns whether the entry is a status line, which is not part of the conversation. */
export function isTrace(entry: Entry): boolean {
  return entry.kind === 'announcement' ? entry.channel === 'trace' : entry.kind === 'system' && entry.id.startsWith(tracePrefix);
}

function addTrace(batch: Batch, event: ReadEvent<'text'>): void {
  const { entries } = batch;
  const id = `${tracePrefix}${event.messageId}`;
  const entry = entries.find(id) ?? ({ ...basics(event, id), kind: 'system', text: '' } satisfies NoteEntry);
  if (entry.kind !== 'system') return;
  if (hasGap(entry.text, event.offset)) batch.hasGap = true;
  const text = joinText(entry.text, event.offset, event.delta);
  if (text !== entry.text) {
    if (!entries.find(id)) entries.add(entry);
    entries.edit(entry).text = text;
  }
}

/** Adds a note as a line, unless the event is repeated. */
export function addNote({ entries }: Batch, event: EventHead, note: Pick<Draft<NoteEntry>, 'kind' | 'text' | 'code' | 'data'>): void {
  const id = `event_${event.id ?? `${event.kind}_${event.at}`}`;
  if (!entries.find(id)) entries.add({ ...basics(event, id), ...note });
}

function endStreaming({ entries }: Batch, turnId: string): void {
  entries.backwards((entry) => {
    if (entry.kind === 'assistant' && entry.turnId === turnId && entry.isStreaming) entries.edit(entry).isStreaming = false;
    return !(entry.kind === 'user' && entry.turnId === turnId && entry.isSteer !== true);
  });
}

/** Returns whether the entry is output of a failed attempt: an incomplete reply, or a call that the attempt had started to write. */
function isVoid(entry: Entry, turnId: string): boolean {
  if (entry.turnId !== turnId) return false;
  return entry.kind === 'assistant' ? entry.isStreaming : entry.kind === 'tool' && entry.state === 'writing';
}

/** Marks a call that will never receive a result. */
export function interrupt(call: Draft<ToolEntry>): void {
  call.state = 'interrupted';
  call.progress = [];
}
