// Runs single tools as a turn does: through the approval check, with all approvals granted.
import type { Kernel } from 'agent-harness/kernel';
import type { ToolCall, Turn } from 'agent-harness/plugins/agent';
import type { CheckedCall, ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';

export function fakeTurn(place: Pick<Turn, 'chatId' | 'turnId' | 'workspaceRoot'> & Partial<Turn>): Turn {
  return {
    messageId: 'msg',
    text: '',
    isRoot: true,
    signal: new AbortController().signal,
    startedAt: Date.now(),
    round: 1,
    toolCount: 0,
    isTainted: false,
    notes: new Map(),
    kept: () => Promise.resolve(),
    waiting: () => () => undefined,
    ...place,
  };
}

/** Invalid arguments and rejected calls are returned as outcomes. */
export async function runTool(kernel: Kernel, name: string, args: object, context: Partial<ToolContext> = {}): Promise<ToolOutcome> {
  return runChecked(kernel, kernel.resolve('tools').checkArgs(name, args), context);
}

export async function runChecked(kernel: Kernel, checked: CheckedCall, context: Partial<ToolContext> = {}): Promise<ToolOutcome> {
  return (await startTool(kernel, checked, context)).running;
}

/** Resolves when the call is allowed and starts. Runs in the active chat, unless the context names another one. */
export async function startTool(kernel: Kernel, checked: CheckedCall, context: Partial<ToolContext> = {}): Promise<{ running: Promise<ToolOutcome> }> {
  if (!checked.ok) return { running: Promise.resolve(checked) };
  const storage = kernel.resolve('storage');
  const chat = context.chatId === undefined ? await kernel.resolve('chats').active() : await kernel.resolve('chats').get(context.chatId);
  const { callId = storage.createId('call'), turnId = storage.createId('turn'), progress = () => undefined } = context;
  const turn = fakeTurn({
    ...{ chatId: chat.chatId, turnId, workspaceRoot: context.workspaceRoot ?? chat.workspaceRoot },
    ...(context.signal ? { signal: context.signal } : {}),
    ...(context.waiting ? { waiting: context.waiting } : {}),
  });
  const grant = await approved(kernel, { callId, tool: checked.tool, args: checked.args, turn });
  if ('deny' in grant) return { running: Promise.resolve({ ok: false, error: grant.deny, ...(grant.hint === undefined ? {} : { hint: grant.hint }) }) };
  return { running: kernel.resolve('tools').run(grant, { signal: turn.signal, progress, waiting: turn.waiting }) };
}

async function approved(kernel: Kernel, call: ToolCall): ReturnType<ReturnType<typeof kernel.resolve<'gate'>>['authorize']> {
  let isOver = false;
  const answer = kernel
    .resolve('gate')
    .authorize(call)
    .finally(() => (isOver = true));
  const approvals = kernel.resolve('approvals');
  while (!isOver) {
    const open = approvals.pending(call.turn.chatId).approvals.find(({ callId }) => callId === call.callId);
    if (open) await approvals.decide(open.approvalId, { decision: 'approve' });
    else await new Promise(setImmediate);
  }
  return answer;
}
