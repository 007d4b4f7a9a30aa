// Defines the reducers of tool-call events, which update cards and pending decisions.
import { isRecord } from '#lib/values';
import { wait, type Batch, type EventHead, type ReadEvent, type Reducers } from './batch.ts';
import type { Draft } from './entry-list.ts';
import type { EventKind } from './events.ts';
import { hasGap, joinText } from './join-text.ts';
import type { Approval, Question, ToolEntry, ToolState } from './state.ts';
import { interruptedOutput } from './replies.ts';
import { nameOf } from './wording.ts';

/** Maximum number of stored progress lines of a running tool. */
const progressLimit = 200;

type ToolKind = Extract<EventKind, `tool_${string}` | `ask_user${string}` | 'compose_preview' | `approval_${string}`>;

export const toolReducers: Reducers<ToolKind> = {
  tool_start(batch, event) {
    const { args, argsText, icon, verb, subject } = event;
    const isComplete = args !== undefined || argsText !== undefined;
    const entry = callOf(batch, event);
    if (isOver(entry)) return;
    if (event.messageId !== undefined && entry.messageId === undefined) edit(batch, entry).messageId = event.messageId;
    if (icon !== undefined && entry.icon === undefined) edit(batch, entry).icon = icon;
    if (verb !== undefined && entry.verb === undefined) edit(batch, entry).verb = verb;
    if (!isComplete) return wait(batch, event, 'model');
    if (entry.args === undefined) {
      const draft = edit(batch, entry);
      setArgs(draft, args, argsText);
      if (subject !== undefined) draft.subject = subject;
      if (draft.state === 'writing') draft.state = 'queued';
      endReply(batch, event.messageId);
    }
    wait(batch, event, nextWait(batch, event));
  },

  tool_running(batch, event) {
    const entry = callOf(batch, event);
    if (entry.state !== 'writing' && entry.state !== 'queued') return;
    run(edit(batch, entry), event.at);
    wait(batch, event, nextWait(batch, event));
  },

  tool_delta(batch, event) {
    const entry = batch.entries.find(event.callId);
    if (entry?.kind !== 'tool' || entry.state !== 'writing') return;
    const delta = event.argsDelta;
    wait(batch, event, 'model');
    // Arguments are a JSON object, so a first piece without the opening brace is from the middle. The complete arguments follow soon.
    if (entry.argsText === '' && !/^\s*\{/.test(delta)) return;
    edit(batch, entry).argsText += delta;
  },

  tool_progress(batch, event) {
    const entry = batch.entries.find(event.callId);
    if (entry?.kind !== 'tool' || isOver(entry)) return;
    const draft = edit(batch, entry);
    draft.progress = [...entry.progress.slice(1 - progressLimit), event.note];
    if (draft.state === 'queued') run(draft, event.at);
  },

  compose_preview(batch, event) {
    const entry = batch.entries.find(event.callId);
    if (entry?.kind !== 'tool' || entry.compose?.isDone) return;
    const known = entry.compose?.text ?? '';
    const { path = '', offset, delta, lines = 0, done = false } = event;
    // A preview whose beginning is missing stays empty, because the beginning is never sent again; the complete arguments follow soon.
    const text = hasGap(known, offset) ? known : joinText(known, offset, delta);
    edit(batch, entry).compose = { path, text, lines, isDone: done };
  },

  tool_result(batch, event) {
    const entry = callOf(batch, event);
    if (isOver(entry) && entry.state !== 'interrupted') return;
    const { ok = false, output = '', durationMs, artifactId, truncated, untrusted, fromWorkspace, images, view } = event;
    const draft = edit(batch, entry);
    endCall(draft, { ok, output, ...(durationMs === undefined ? {} : { durationMs }) });
    if (!ok) draft.state = failureOf(entry, event);
    if (artifactId !== undefined) draft.artifactId = artifactId;
    if (view !== undefined) draft.view = view;
    if (truncated === true) draft.truncated = true;
    if (untrusted === true) draft.untrusted = true;
    if (fromWorkspace === true) draft.fromWorkspace = true;
    if (images !== undefined) draft.images = images.map((image) => ({ name: image.attachmentId, attachmentId: image.attachmentId, mimeType: image.mimeType }));
    wait(batch, event, nextWait(batch, event));
  },

  tool_approval(batch, event) {
    const { chat } = batch;
    const approval = approvalOf(event);
    const entry = callOf(batch, event);
    if (isOver(entry) || (entry.decision && entry.approval?.approvalId === approval.approvalId)) return;
    const draft = edit(batch, entry);
    // The earlier decision belongs to an earlier request.
    delete draft.decision;
    draft.approval = approval;
    draft.state = 'waiting';
    if (!chat.approvals.some((one) => one.approvalId === approval.approvalId)) chat.approvals = [...chat.approvals, approval];
    wait(batch, event, 'approval');
  },

  approval_rehearsed(batch, event) {
    const { chat } = batch;
    const { approvalId, callId, rehearsal } = event;
    const entry = batch.entries.find(callId);
    if (entry?.kind !== 'tool' || entry.approval?.approvalId !== approvalId || entry.decision) return;
    const approval: Approval = { ...entry.approval, rehearsal };
    edit(batch, entry).approval = approval;
    chat.approvals = chat.approvals.map((one) => (one.approvalId === approvalId ? approval : one));
  },

  approval_decision(batch, event) {
    const { chat } = batch;
    if (chat.approvals.some((one) => one.approvalId === event.approvalId)) chat.approvals = chat.approvals.filter((one) => one.approvalId !== event.approvalId);
    const entry = callOf(batch, event);
    const draft = edit(batch, entry);
    const { decision = 'approve', by = 'user', reason } = event;
    const saidBy = nameOf(event.principal);
    draft.decision = { decision, by, ...(reason === undefined ? {} : { reason }), ...(saidBy === undefined ? {} : { saidBy }) };
    if (event.args !== undefined) setArgs(draft, event.args, undefined);
    if (!isOver(draft)) run(draft, event.at);
    wait(batch, event, nextWait(batch, event));
  },

  ask_user(batch, event) {
    const { chat } = batch;
    const question = questionOf(event);
    const entry = callOf(batch, event);
    if (isOver(entry) || entry.answer !== undefined) return;
    const draft = edit(batch, entry);
    draft.question = question;
    draft.state = 'waiting';
    if (!chat.questions.some((one) => one.askId === question.askId)) chat.questions = [...chat.questions, question];
    wait(batch, event, 'answer');
  },

  ask_user_answered(batch, event) {
    const { chat } = batch;
    if (chat.questions.some((one) => one.askId === event.askId)) chat.questions = chat.questions.filter((one) => one.askId !== event.askId);
    const draft = edit(batch, callOf(batch, event));
    draft.answer = event.answer ?? '';
    const answeredBy = nameOf(event.principal);
    if (answeredBy !== undefined) draft.answeredBy = answeredBy;
    if (draft.state === 'waiting') run(draft, event.at);
    wait(batch, event, nextWait(batch, event));
  },
};

function approvalOf(event: ReadEvent<'tool_approval'>): Approval {
  const {
    approvalId,
    chatId = '',
    turnId = '',
    callId,
    name = '',
    args,
    effects = [],
    reason = '',
    preview,
    rehearsal,
    remembers,
    always,
    kinds,
    expiresAt,
    at,
  } = event;
  return {
    ...{ approvalId, chatId, turnId, callId, name, args: asArgs(args) ?? {}, effects, reason },
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(remembers === undefined ? {} : { remembers }),
    ...(always === undefined ? {} : { always }),
    ...(kinds === undefined ? {} : { kinds }),
    ...(preview === undefined ? {} : { preview }),
    ...(rehearsal === undefined ? {} : { rehearsal }),
    since: at,
  };
}

function questionOf(event: ReadEvent<'ask_user'>): Question {
  const { askId, chatId = '', turnId = '', callId, prompt = '', options, since = event.at } = event;
  return { askId, chatId, turnId, callId, prompt, ...(options === undefined ? {} : { options }), since };
}

/** Ends a call, and removes its progress. */
export function endCall(
  draft: Draft<ToolEntry>,
  { ok, output, durationMs }: { readonly ok: boolean; readonly output: string; readonly durationMs?: number },
): void {
  draft.state = ok ? 'ok' : 'failed';
  draft.ok = ok;
  draft.output = output;
  if (durationMs !== undefined) draft.durationMs = durationMs;
  draft.progress = [];
}

/** Returns the state of a call without a successful result: rejected, stopped, interrupted or failed. */
function failureOf({ decision }: ToolEntry, { notRun, stopped, output = '' }: ReadEvent<'tool_result'>): ToolState {
  if (decision?.decision === 'reject') return ({ timeout: 'expired', abort: 'stopped' } as const)[decision.by] ?? 'denied';
  if (stopped === true) return 'stopped';
  return notRun === true || output.startsWith(interruptedOutput) ? 'interrupted' : 'failed';
}

function setArgs(draft: Draft<ToolEntry>, args: unknown, argsText: string | undefined): void {
  const complete = asArgs(args);
  if (complete) draft.args = complete;
  draft.argsText = complete ? '' : (argsText ?? (typeof args === 'string' ? args : JSON.stringify(args ?? '')));
}

function asArgs(args: unknown): Readonly<Record<string, unknown>> | undefined {
  return isRecord(args) ? args : undefined;
}

type CallEvent = EventHead & { readonly callId: string; readonly name?: string };

function callOf({ entries }: Batch, { at, turnId, callId, name = '' }: CallEvent): ToolEntry {
  const found = entries.find(callId);
  if (found?.kind === 'tool') return found;
  const inTurn = turnId === undefined ? {} : { turnId };
  const entry: ToolEntry = { id: callId, kind: 'tool', at, ...inTurn, callId, name, state: 'writing', argsText: '', progress: [] };
  entries.add(entry);
  return entry;
}

function edit({ entries }: Batch, entry: ToolEntry): Draft<ToolEntry> {
  return entries.edit(entry);
}

function run(draft: Draft<ToolEntry>, at: string): void {
  draft.state = 'running';
  draft.startedAt = at;
}

const over: ReadonlySet<ToolState> = new Set<ToolState>(['ok', 'failed', 'denied', 'stopped', 'interrupted', 'expired']);

/** Returns whether the call has a result or will never receive one. */
export function isOver({ state }: { readonly state: ToolState }): boolean {
  return over.has(state);
}

/** Marks a reply as complete, because one of its calls is about to run. */
function endReply({ entries }: Batch, messageId: string | undefined): void {
  const reply = messageId === undefined ? undefined : entries.find(messageId);
  if (reply?.kind === 'assistant' && reply.isStreaming) entries.edit(reply).isStreaming = false;
}

/** Returns the next wait of a turn after a call has continued or ended: for the user, for other calls, or for the model. */
function nextWait({ entries, chat }: Batch, { turnId }: EventHead): 'approval' | 'answer' | 'tool' | 'model' {
  if (chat.approvals.some((one) => one.turnId === turnId)) return 'approval';
  if (chat.questions.some((one) => one.turnId === turnId)) return 'answer';
  let isRunning = false;
  entries.backwards((entry) => {
    isRunning ||= entry.kind === 'tool' && entry.turnId === turnId && (entry.state === 'running' || entry.state === 'waiting' || entry.state === 'queued');
    return !isRunning && !(entry.kind === 'assistant' && entry.turnId === turnId);
  });
  return isRunning ? 'tool' : 'model';
}
