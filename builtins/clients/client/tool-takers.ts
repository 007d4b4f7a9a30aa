// What the events of tool calls change: their cards, and what a person has to decide.
import { joinText, wait, type Batch, type Takers } from './batch.ts';
import type { Draft } from './entry-list.ts';
import type { ShownImage, TakenEvents } from './event-fields.ts';
import type { Approval, Question, ToolEntry, ToolState } from './state.ts';

/** The newest lines of a running tool that are kept. */
const progressLimit = 200;

type ToolKind = Extract<keyof TakenEvents, `tool_${string}` | `ask_user${string}` | 'compose_preview' | 'approval_decision'>;

export const toolTakers: Takers<ToolKind> = {
  tool_start(batch, event) {
    const { args, argsText } = event;
    const isComplete = args !== undefined || argsText !== undefined;
    const entry = callOf(batch, event);
    if (isOver(entry)) return;
    if (event.messageId !== undefined && entry.messageId === undefined) edit(batch, entry).messageId = event.messageId;
    if (!isComplete) return wait(batch, event, 'model');
    if (entry.args === undefined) {
      const draft = edit(batch, entry);
      setArgs(draft, args, argsText);
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
    // Arguments are an object: what does not begin with its brace is a piece from the middle, and the whole comes soon.
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
    // It is never sent again, so a preview whose beginning was missed stays empty; the card gets the whole arguments soon.
    const text = joinText(known, event.offset, event.delta) ?? known;
    edit(batch, entry).compose = { path: event.path, text, lines: event.lines, isDone: event.done };
  },

  tool_result(batch, event) {
    const entry = callOf(batch, event);
    if (entry.state === 'ok' || entry.state === 'failed') return;
    const draft = edit(batch, entry);
    draft.state = event.notRun === true ? 'interrupted' : event.ok === true ? 'ok' : 'failed';
    draft.output = event.output;
    draft.durationMs = event.durationMs;
    if (event.artifactId !== undefined) draft.artifactId = event.artifactId;
    if (event.truncated === true) draft.isTruncated = true;
    if (event.untrusted === true) draft.isUntrusted = true;
    if (event.images !== undefined) draft.images = imagesOf(event.images);
    wait(batch, event, nextWait(batch, event));
  },

  tool_approval(batch, event) {
    const { chat } = batch;
    const approval = approvalOf(event);
    const entry = callOf(batch, event);
    if (isOver(entry) || entry.decision) return;
    const draft = edit(batch, entry);
    draft.approval = approval;
    draft.state = 'waiting';
    if (!chat.approvals.some((one) => one.approvalId === approval.approvalId)) chat.approvals = [...chat.approvals, approval];
    wait(batch, event, 'approval');
  },

  approval_decision(batch, event) {
    const { chat } = batch;
    if (chat.approvals.some((one) => one.approvalId === event.approvalId)) chat.approvals = chat.approvals.filter((one) => one.approvalId !== event.approvalId);
    const entry = callOf(batch, event);
    const draft = edit(batch, entry);
    draft.decision = { decision: event.decision, by: event.by, ...(event.reason === undefined ? {} : { reason: event.reason }) };
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
    draft.answer = event.answer;
    if (draft.state === 'waiting') run(draft, event.at);
    wait(batch, event, nextWait(batch, event));
  },
};

type AskedApproval = Omit<TakenEvents['tool_approval'], 'kind' | 'at'> & { readonly at?: string };

/** From the event, or from what the server says is pending. */
export function approvalOf({ approvalId, chatId, turnId, callId, name, args, effects, reason, preview, remembers, expiresAt, at }: AskedApproval): Approval {
  return {
    ...{ approvalId, chatId, turnId, callId, name, args: asArgs(args) ?? {}, effects, reason },
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(remembers === undefined ? {} : { remembers }),
    ...(preview === undefined ? {} : { preview }),
    ...(at === undefined ? {} : { since: at }),
  };
}

export function questionOf({ askId, chatId, turnId, callId, prompt, options, since }: Omit<TakenEvents['ask_user'], 'kind' | 'at'>): Question {
  return { askId, chatId, turnId, callId, prompt, ...(options === undefined ? {} : { options }), since };
}

export function imagesOf(images: readonly ShownImage[]): NonNullable<ToolEntry['images']> {
  return images.map(({ attachmentId, mimeType }) => ({ name: attachmentId, attachmentId, mimeType }));
}

export function setArgs(draft: Draft<ToolEntry>, args: unknown, argsText: string | undefined): void {
  const complete = asArgs(args);
  if (complete) draft.args = complete;
  draft.argsText = complete ? JSON.stringify(complete) : (argsText ?? (typeof args === 'string' ? args : JSON.stringify(args ?? '')));
}

function asArgs(args: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof args === 'object' && args !== null && !Array.isArray(args) ? (args as Record<string, unknown>) : undefined;
}

type CallEvent = TakenEvents['tool_progress' | 'tool_start' | 'tool_result' | 'tool_approval' | 'approval_decision' | 'ask_user' | 'ask_user_answered'];

function callOf({ entries }: Batch, { at, turnId, callId, name = '' }: CallEvent): ToolEntry {
  const found = entries.find(callId);
  if (found?.kind === 'tool') return found;
  const entry: ToolEntry = { id: callId, kind: 'tool', at, turnId, callId, name, state: 'writing', argsText: '', progress: [] };
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

function isOver({ state }: { readonly state: ToolState }): boolean {
  return state === 'ok' || state === 'failed' || state === 'interrupted';
}

/** A call that is about to run belongs to a reply that is whole. */
function endReply({ entries }: Batch, messageId: string | undefined): void {
  const reply = messageId === undefined ? undefined : entries.find(messageId);
  if (reply?.kind === 'assistant' && reply.isStreaming) entries.edit(reply).isStreaming = false;
}

/** What a turn waits for once a call went on or ended: for people, for other calls, or for the model. */
function nextWait({ entries, chat }: Batch, { turnId }: CallEvent): 'approval' | 'answer' | 'tool' | 'model' {
  if (chat.approvals.some((one) => one.turnId === turnId)) return 'approval';
  if (chat.questions.some((one) => one.turnId === turnId)) return 'answer';
  let isRunning = false;
  entries.backwards((entry) => {
    isRunning ||= entry.kind === 'tool' && entry.turnId === turnId && (entry.state === 'running' || entry.state === 'waiting' || entry.state === 'queued');
    return !isRunning && !(entry.kind === 'assistant' && entry.turnId === turnId);
  });
  return isRunning ? 'tool' : 'model';
}
