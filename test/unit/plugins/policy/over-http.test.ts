import { beforeEach, expect, test } from 'vitest';
import type { Turn } from 'agent-harness/plugins/agent';
import { startHarness, type Harness } from '../../../helpers/harness.ts';
import { fakeTurn } from '../../../helpers/run-tool.ts';
import { fakeTool } from '../tools/fake-world.ts';

let harness: Harness;
let turn: Turn;
beforeEach(async () => {
  const tool = fakeTool('send', { effects: ['external'], preview: () => ({ kind: 'diff', path: 'a', diff: '+b' }), run: () => 'x'.repeat(60_000) });
  const modules: any = { kit: { register: (registry: any) => registry.add('tool', tool) } };
  harness = await startHarness({ builtins: ['ask-user', 'artifacts', 'rule-recall'], modules });
  const { chatId } = await harness.kernel.resolve('chats').active();
  const signal = new AbortController().signal;
  turn = fakeTurn({ chatId, turnId: harness.kernel.resolve('storage').createId('turn'), workspaceRoot: harness.workspace, signal });
});

function guard(args: Record<string, unknown>): Promise<unknown> {
  const tool = harness.kernel.resolve('tools').find('send');
  if (!tool) throw new Error('no tool');
  return harness.kernel.resolve('gate').authorize({ callId: 'call', tool, args, turn });
}

async function journal(): Promise<{ readonly kind: string }[]> {
  const events: { readonly kind: string }[] = [];
  for await (const event of harness.kernel.resolve('eventLog').read(turn.chatId)) events.push(event);
  return events;
}

test('the decision stands in the journal, with who made it, when the client has its reply', async () => {
  const guarded = guard({});
  const approvals = harness.kernel.resolve('approvals');
  await expect.poll(() => approvals.pending().approvals.length).toBe(1);
  await harness.call('POST', '/api/approve', { approvalId: approvals.pending().approvals[0]?.approvalId, decision: 'reject', reason: 'no' });
  await guarded;
  expect(await journal()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'tool_approval' }),
      expect.objectContaining({ kind: 'approval_decision', by: 'user', principal: { kind: 'owner', id: 'owner', role: 'owner' } }),
    ]),
  );
});

test('a question is asked and answered over HTTP', async () => {
  const question = { prompt: 'A?', options: ['x'] };
  const { chatId, turnId, signal, waiting } = turn;
  const asked = harness.kernel.resolve('approvals').ask(question, { chatId, turnId, callId: 'call', signal, waiting });
  const { questions } = (await harness.call('GET', `/api/pending?chatId=${turn.chatId}`)).body;
  expect(questions).toMatchObject([{ ...question, chatId, turnId, callId: 'call' }]);
  expect((await harness.call('POST', '/api/answer', { askId: questions[0].askId, answer: 'free' })).body).toEqual({ ok: true });
  expect(await asked).toBe('free');
  expect((await journal()).find(({ kind }) => kind === 'ask_user_answered')).toMatchObject({ answer: 'free', principal: { kind: 'owner' } });
  expect((await harness.call('POST', '/api/answer', { askId: questions[0].askId, answer: 'b' })).status).toBe(409);
  expect((await harness.call('GET', '/api/pending?chatId=nope')).status).toBe(404);
});
