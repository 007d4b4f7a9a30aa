// One function for each kind of event that changes what a chat shows.
import { joinText, wait, withWait, type Batch, type Takers } from './batch.ts';
import { isVoid, type Draft } from './entry-list.ts';
import type { TakenEvents, TakenKind } from './event-fields.ts';
import type { Entry, NoteEntry } from './state.ts';
import { taskTakers } from './task-takers.ts';
import { toolTakers } from './tool-takers.ts';
import { compressedText, doubtText, endingText, resetText, restoredText, unqueuedText } from './wording.ts';

export const takers: Takers<TakenKind> = {
  message_accepted({ entries, chat }, event) {
    if (entries.find(event.messageId)) return;
    // Between two turns nothing runs, but who waits goes first all the same.
    const isBehind = chat.running === undefined ? entries.hasWaiting() : chat.running.turnId !== event.turnId;
    const isQueued = event.isSteer !== true && isBehind;
    const entry: Entry = {
      ...{ id: event.messageId, kind: 'user', at: event.at, text: event.text, attachments: event.attachments ?? [] },
      state: isQueued ? 'queued' : 'accepted',
      turnId: event.turnId,
      ...(event.isSteer === true ? { isSteer: true } : {}),
      ...(event.clientId === undefined ? {} : { clientId: event.clientId }),
    };
    if (isQueued) entries.addLast(entry);
    else entries.add(entry);
  },

  turn_start({ entries, chat }, event) {
    const { turnId } = event;
    accept({ entries }, event.messageId);
    if (chat.running?.turnId === turnId && chat.running.model !== undefined) return;
    chat.running = { turnId, model: event.model, startedAt: event.at, waitingFor: 'model', since: event.at };
  },

  text(batch, event) {
    if (event.channel === 'trace') return addTrace(batch, event);
    const { entries } = batch;
    const id = event.messageId;
    const field = event.channel === 'reasoning' ? 'reasoning' : 'text';
    const entry = entries.find(id) ?? emptyReply(event);
    if (entry.kind !== 'assistant') return;
    const text = joinText(entry[field], event.offset, event.delta);
    if (text === undefined) batch.needsReload = true;
    else if (text !== entry[field]) {
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
    const sum = cost === undefined && event.cost === undefined ? {} : { cost: (cost ?? 0) + (event.cost ?? 0) };
    chat.usage = { input: input + event.input, output: output + event.output, cached: cached + event.cached, ...sum };
    if (event.purpose === 'chat' && event.turnId !== undefined) endStreaming(batch, event.turnId);
  },

  provider_retry(batch, event) {
    const { turnId } = event;
    if (turnId === undefined || (event.purpose ?? 'chat') !== 'chat') return;
    batch.entries.remove((entry) => isVoid(entry, turnId));
    wait(batch, event, 'retry');
    const { running } = batch.chat;
    if (running?.turnId !== turnId) return;
    const { attempt, of, reason, at, delayMs = 0 } = event;
    batch.chat.running = { ...running, retry: { attempt, of, reason, until: new Date(Date.parse(at) + delayMs).toISOString() } };
  },

  turn_end(batch, event) {
    const { entries, chat } = batch;
    const { turnId } = event;
    entries.backwards((entry) => {
      if (entry.turnId !== turnId) return;
      if (entry.kind === 'assistant' && entry.isStreaming) entries.edit(entry).isStreaming = false;
      if (entry.kind === 'tool' && isOpenCall(entry.state)) entries.edit(entry).state = 'interrupted';
      // Its first message; only what was steered stands before that.
      if (entry.kind === 'user' && entry.isSteer !== true) {
        accept(batch, entry.id);
        return false;
      }
    });
    if (chat.running?.turnId === turnId) delete chat.running;
    if (chat.approvals.some((one) => one.turnId === turnId)) chat.approvals = chat.approvals.filter((one) => one.turnId !== turnId);
    if (chat.questions.some((one) => one.turnId === turnId)) chat.questions = chat.questions.filter((one) => one.turnId !== turnId);
    const { reason } = event;
    const { error } = event;
    if (reason === 'error') addNote(batch, event, { kind: 'error', text: error?.message ?? 'The turn failed.', ...(error ? { code: error.code } : {}) });
    else if (reason !== 'done') addNote(batch, event, { kind: 'note', text: event.isUnqueued === true ? unqueuedText : endingText(reason), code: reason });
  },

  harness_running({ chat }, event) {
    if (event.turnId === undefined || event.waitingFor === undefined) return;
    chat.running = withWait(chat.running, { turnId: event.turnId, waitingFor: event.waitingFor, since: event.since ?? event.at });
  },

  error: (batch, event) =>
    addNote(batch, event, { kind: 'error', text: event.message ?? 'Something went wrong.', ...(event.code === undefined ? {} : { code: event.code }) }),
  conversation_reset: (batch, event) => addNote(batch, event, { kind: 'note', text: resetText, code: event.kind }),
  context_compressed: (batch, event) => addNote(batch, event, { kind: 'note', text: compressedText, code: event.kind }),
  critic_verdict(batch, event) {
    if (!event.ok) addNote(batch, event, { kind: 'note', text: doubtText(event.problems, event.isSentBack), code: event.kind });
  },
  // Its turn is the one that was taken back, long before.
  checkpoint_restored: (batch, { turnId: _turnId, ...event }) =>
    addNote(batch, event, { kind: 'note', text: restoredText(event.restored?.length ?? 0, event.conflicts?.length ?? 0), code: event.kind }),
  ...toolTakers,
  ...taskTakers,
};

/** A message leaves the queue: from now on what is said comes after it. */
function accept({ entries }: Pick<Batch, 'entries'>, messageId: string): void {
  const entry = entries.find(messageId);
  if (entry?.kind !== 'user' || entry.state !== 'queued') return;
  entries.remove((one) => one === entry);
  entries.add({ ...entry, state: 'accepted' });
}

function emptyReply(event: TakenEvents['text']): Entry {
  return { ...basics(event, event.messageId), kind: 'assistant', text: '', reasoning: '', isStreaming: true };
}

function basics(event: { readonly at: string; readonly turnId?: string }, id: string): { id: string; at: string; turnId?: string } {
  return { id, at: event.at, ...(event.turnId === undefined ? {} : { turnId: event.turnId }) };
}

function addTrace(batch: Batch, event: TakenEvents['text']): void {
  const { entries } = batch;
  const id = `trace_${event.messageId}`;
  const entry = entries.find(id) ?? ({ ...basics(event, id), kind: 'note', text: '' } satisfies NoteEntry);
  if (entry.kind !== 'note') return;
  const text = joinText(entry.text, event.offset, event.delta);
  if (text === undefined) batch.needsReload = true;
  else if (text !== entry.text) {
    if (!entries.find(id)) entries.add(entry);
    entries.edit(entry).text = text;
  }
}

function addNote({ entries }: Batch, event: TakenEvents['error'], note: Pick<Draft<NoteEntry>, 'kind' | 'text' | 'code'>): void {
  const id = `event_${event.id ?? `${event.kind}_${event.at}`}`;
  if (!entries.find(id)) entries.add({ ...basics(event, id), ...note });
}

function endStreaming({ entries }: Batch, turnId: string): void {
  entries.backwards((entry) => {
    if (entry.kind === 'assistant' && entry.turnId === turnId && entry.isStreaming) entries.edit(entry).isStreaming = false;
    return !(entry.kind === 'user' && entry.turnId === turnId && entry.isSteer !== true);
  });
}

function isOpenCall(state: string): boolean {
  return state === 'writing' || state === 'queued' || state === 'waiting' || state === 'running';
}
