// One entry of the server's transcript as clients show it.
import type { ReplyOf } from './api.ts';
import type { Draft } from './entry-list.ts';
import type { Approval, Entry, NoteEntry, Question, RunningTurn, Task, ToolEntry, UserEntry } from './state.ts';
import { imagesOf, setArgs } from './tool-takers.ts';

type ServedEntry = ReplyOf<'GET /api/chats/:id/transcript'>['entries'][number];

export interface OpenNow {
  readonly chatId: string;
  readonly approvals: readonly Approval[];
  readonly questions: readonly Question[];
  readonly running: RunningTurn | undefined;
}

export function readEntry(served: ServedEntry, open: OpenNow): Entry {
  const { id, at, turnId } = served;
  const base = { id, at, ...(turnId === undefined ? {} : { turnId }) };
  switch (served.kind) {
    case 'user':
      return readMessage(served, base);
    case 'assistant':
      return { ...base, kind: 'assistant', text: textOf(served['text']), reasoning: textOf(served['reasoning']), isStreaming: false };
    case 'tool':
      return readCall(served, base, open);
    default:
      return readNote(served, base);
  }
}

type Base = Pick<NoteEntry, 'id' | 'at' | 'turnId'>;

function readMessage(served: ServedEntry, base: Base): UserEntry {
  return {
    ...base,
    kind: 'user',
    text: textOf(served['text']),
    attachments: (served['attachments'] as UserEntry['attachments'] | undefined) ?? [],
    state: 'accepted',
    ...(served['isSteer'] === true ? { isSteer: true } : {}),
    ...(typeof served['clientId'] === 'string' ? { clientId: served['clientId'] } : {}),
  };
}

function readNote(served: ServedEntry, base: Base): NoteEntry {
  const { event, reason, code } = served as { readonly event?: string; readonly reason?: string; readonly code?: string };
  const said = served['text'] ?? served['message'];
  const known = served.kind === 'error' ? code : (reason ?? event);
  return {
    ...base,
    kind: served.kind === 'error' ? 'error' : 'note',
    text: typeof said === 'string' ? said : 'Something went wrong.',
    ...(known === undefined ? {} : { code: known }),
  };
}

interface ServedCall {
  readonly callId?: string;
  readonly name?: string;
  readonly args?: unknown;
  readonly ok?: boolean;
  readonly output?: string;
  readonly durationMs?: number;
  readonly artifactId?: string;
  readonly truncated?: boolean;
  readonly untrusted?: boolean;
  readonly notRun?: boolean;
  readonly startedAt?: string;
  readonly images?: Parameters<typeof imagesOf>[0];
  readonly isInterrupted?: boolean;
  readonly task?: Task;
  readonly approval?: Pick<Approval, 'approvalId' | 'reason' | 'expiresAt' | 'preview' | 'remembers'> & Partial<ServedDecision>;
  readonly question?: Pick<Question, 'askId' | 'prompt' | 'options'> & { readonly answer?: string };
}

interface ServedDecision {
  readonly decision: 'approve' | 'reject' | 'edit';
  readonly by: string;
  readonly decisionReason?: string;
  readonly effects?: readonly string[];
}

function readCall(served: ServedEntry, base: Base, open: OpenNow): ToolEntry {
  const call = served as ServedCall;
  const { callId = served.id, name = '' } = call;
  const entry: Draft<ToolEntry> = { ...base, kind: 'tool', callId, name, state: stateOf(served, callId, open), argsText: '', progress: [] };
  if (call.args !== undefined) setArgs(entry, call.args, undefined);
  for (const field of ['output', 'durationMs', 'artifactId', 'startedAt'] as const)
    if (call[field] !== undefined) Object.assign(entry, { [field]: call[field] });
  if (call.truncated === true) entry.isTruncated = true;
  if (call.untrusted === true) entry.isUntrusted = true;
  if (call.task) entry.task = call.task;
  if (call.images) entry.images = imagesOf(call.images);
  addApproval(entry, call, open);
  addQuestion(entry, call, open);
  return entry;
}

function stateOf(served: ServedEntry, callId: string, { approvals, questions, running }: OpenNow): ToolEntry['state'] {
  const { ok, args, isInterrupted, notRun, startedAt } = served as ServedCall;
  if (notRun === true) return 'interrupted';
  if (ok !== undefined) return ok ? 'ok' : 'failed';
  if (isInterrupted === true || served.turnId !== running?.turnId) return 'interrupted';
  if (approvals.some((one) => one.callId === callId) || questions.some((one) => one.callId === callId)) return 'waiting';
  if (args === undefined) return 'writing';
  return startedAt === undefined ? 'queued' : 'running';
}

function addApproval(entry: Draft<ToolEntry>, { approval: served }: ServedCall, { chatId, approvals }: OpenNow): void {
  const pending = approvals.find((one) => one.callId === entry.callId);
  if (pending) entry.approval = pending;
  if (!served) return;
  const { approvalId, reason, expiresAt, preview, remembers, decision, by, decisionReason, effects = [] } = served;
  // A call that a rule decided was never asked about.
  if (!pending && (reason as string | undefined) !== undefined) {
    const { callId, turnId = '', name, args = {} } = entry;
    const given = { ...(expiresAt ? { expiresAt } : {}), ...(preview ? { preview } : {}), ...(remembers === undefined ? {} : { remembers }) };
    entry.approval = { approvalId, chatId, turnId, callId, name, args, effects, reason, ...given };
  }
  if (decision !== undefined && by !== undefined) entry.decision = { decision, by, ...(decisionReason === undefined ? {} : { reason: decisionReason }) };
}

function addQuestion(entry: Draft<ToolEntry>, { question: served }: ServedCall, { chatId, questions }: OpenNow): void {
  const pending = questions.find((one) => one.callId === entry.callId);
  if (pending) entry.question = pending;
  if (!served) return;
  const { askId, prompt, options, answer } = served;
  if (!pending && prompt !== undefined)
    entry.question = { askId, chatId, turnId: entry.turnId ?? '', callId: entry.callId, prompt, ...(options ? { options } : {}), since: entry.at };
  if (answer !== undefined) entry.answer = answer;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
