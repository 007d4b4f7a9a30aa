// Returns the approval decision about a call without running it.
import { expect } from 'vitest';
import type { Harness } from './harness.ts';
import { fakeTurn } from './run-tool.ts';

/** Returns the reason for the approval or the rejection; `undefined` if the call is allowed. Rejects the approval. */
export async function judgeCall(harness: Harness, name: string, args: Record<string, unknown>): Promise<string | undefined> {
  const { chatId, workspaceRoot } = (await harness.call('POST', '/api/chats', { workspaceMode: 'folder', workspaceRoot: harness.workspace })).body;
  const tool = harness.kernel.resolve('tools').find(name)!;
  const turn = fakeTurn({ chatId, turnId: harness.kernel.resolve('storage').createId('turn'), workspaceRoot, signal: new AbortController().signal });
  const approvals = harness.kernel.resolve('approvals');
  let answer: unknown;
  const done = harness.kernel
    .resolve('gate')
    .authorize({ callId: 'call', tool, args, turn })
    .then((said) => (answer = said));
  await expect.poll(() => answer !== undefined || approvals.pending(chatId).approvals.length > 0, { interval: 5 }).toBe(true);
  const [asked] = approvals.pending(chatId).approvals;
  if (asked) await approvals.decide(asked.approvalId, { decision: 'reject' });
  await done;
  return asked?.reason ?? (answer as { deny?: string }).deny;
}
