import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { startHarness, type Harness } from '../../../helpers/harness.ts';
import { fakeTurn } from '../../../helpers/run-tool.ts';
import { fakeTool } from '../tools/fake-world.ts';

let harness: Harness;
beforeEach(async () => {
  const tools = [
    fakeTool('send', { effects: ['external'] }),
    fakeTool('start', { effects: ['execute'] }),
    fakeTool('wait', { effects: ['execute'], incidental: ['timeoutMs'] }),
    fakeTool('build', {
      effects: ['execute'],
      // A command with special characters has no kind.
      kinds: ({ command }: { command: string }) => (/^make [a-z]+$/.test(command) ? [`${command} …`, 'make …'] : []),
    }),
  ];
  harness = await startHarness({ builtins: [], modules: { kit: { register: (registry: any) => tools.forEach((tool) => registry.add('tool', tool)) } } });
});

const makeChat = async (): Promise<string> =>
  (await harness.call('POST', '/api/chats', { workspaceMode: 'folder', workspaceRoot: harness.workspace })).body.chatId as string;

async function isAsked(chatId: string, name: string, args: Record<string, unknown>, decision: object = { decision: 'approve' }): Promise<boolean> {
  const tool = harness.kernel.resolve('tools').find(name);
  if (!tool) throw new Error('no tool');
  const turn = fakeTurn({
    chatId,
    turnId: harness.kernel.resolve('storage').createId('turn'),
    workspaceRoot: harness.workspace,
    signal: new AbortController().signal,
  });
  let isOver = false;
  const guarded = harness.kernel
    .resolve('gate')
    .authorize({ callId: 'call', tool, args, turn })
    .finally(() => (isOver = true));
  const pending = async (): Promise<any[]> => (await harness.call('GET', '/api/pending?chatId=all')).body.approvals;
  await expect.poll(async () => isOver || (await pending()).length > 0).toBe(true);
  const [approval] = await pending();
  if (approval) expect((await harness.call('POST', '/api/approve', { approvalId: approval.approvalId, ...decision })).status).toBe(200);
  await guarded;
  return approval !== undefined;
}
const rules = async (chatId: string): Promise<any[]> => (await harness.call('GET', `/api/approval-rules?chatId=${chatId}`)).body.rules;

test('a workspace rule applies to all its chats, is stored, counts its uses, and can be removed', async () => {
  const [one, two] = [await makeChat(), await makeChat()];
  expect(await isAsked(one, 'start', { command: 'npm test' }, { decision: 'approve', remember: 'workspace' })).toBe(true);
  expect(await isAsked(two, 'start', { command: 'npm test' })).toBe(false);
  expect(await isAsked(two, 'start', { command: 'npm test -- --all' })).toBe(true);
  await expect.poll(async () => (await rules(two))[0]?.answered).toBe(1);
  const [rule] = await rules(two);
  expect(rule).toMatchObject({ scope: 'workspace', decision: 'approve', tool: 'start', words: 'always npm test in this folder' });
  await expect.poll(async () => JSON.parse(await readFile(join(harness.home, 'approval_rules.json'), 'utf8')).rules[0].answered).toBe(1);
  expect((await harness.call('DELETE', `/api/approval-rules/${rule.id}`)).body).toEqual({ ok: true });
  expect(await harness.call('DELETE', `/api/approval-rules/${rule.id}`)).toMatchObject({ status: 404, body: { error: { code: 'rule_not_found' } } });
  expect(await isAsked(one, 'start', { command: 'npm test' })).toBe(true);
});

test('concurrent uses of a rule are all counted', async () => {
  const chat = await makeChat();
  expect(await isAsked(chat, 'start', { command: 'npm test' }, { decision: 'approve', remember: 'workspace' })).toBe(true);
  const asked = await Promise.all(Array.from({ length: 5 }, () => isAsked(chat, 'start', { command: 'npm test' })));
  expect(asked).toEqual(Array(5).fill(false));
  await expect.poll(async () => (await rules(chat))[0]?.answered).toBe(5);
});

test('arguments without effect on a call are ignored in the comparison, all others are compared', async () => {
  const [one, two] = [await makeChat(), await makeChat()];
  expect(await isAsked(one, 'wait', { command: 'npm test', timeoutMs: 5_000 }, { decision: 'approve', remember: 'workspace' })).toBe(true);
  expect(await isAsked(one, 'wait', { command: 'npm test', timeoutMs: 60_000 })).toBe(false);
  expect(await isAsked(two, 'wait', { command: 'npm test' })).toBe(false);
  expect(await isAsked(two, 'wait', { command: 'npm test', background: true })).toBe(true);
  expect(await isAsked(one, 'start', { command: 'ls', timeoutMs: 1 }, { decision: 'approve', remember: 'chat' })).toBe(true);
  expect(await isAsked(one, 'start', { command: 'ls', timeoutMs: 2 })).toBe(true);
});

test('an edited call is remembered as edited, a chat rule stays in its chat, and a workspace cannot remember rejections', async () => {
  const [one, two] = [await makeChat(), await makeChat()];
  expect(await isAsked(one, 'start', { command: 'rm a' }, { decision: 'edit', args: { command: 'ls' }, remember: 'workspace' })).toBe(true);
  expect(await isAsked(two, 'start', { command: 'ls' })).toBe(false);
  expect(await isAsked(two, 'start', { command: 'rm a' })).toBe(true);
  expect(await isAsked(one, 'send', { a: 1 }, { decision: 'approve', remember: 'chat' })).toBe(true);
  expect(await isAsked(one, 'send', { a: 2 })).toBe(false);
  expect(await isAsked(two, 'send', { a: 2 })).toBe(true);
  expect((await rules(one)).map(({ words }) => words)).toEqual(['always ls in this folder', 'always every call of send in this chat']);
  const guarded = isAsked(two, 'send', {}, { decision: 'approve' });
  await expect.poll(async () => (await harness.call('GET', '/api/pending?chatId=all')).body.approvals.length).toBeLessThan(2);
  await guarded;
});

test('rejecting a call for the whole workspace is refused, and the call stays pending', async () => {
  const chatId = await makeChat();
  const tool = harness.kernel.resolve('tools').find('send');
  if (!tool) throw new Error('no tool');
  const stop = new AbortController();
  const turn = fakeTurn({ chatId, turnId: harness.kernel.resolve('storage').createId('turn'), workspaceRoot: harness.workspace, signal: stop.signal });
  const guarded = harness.kernel.resolve('gate').authorize({ callId: 'call', tool, args: {}, turn });
  const pending = async (): Promise<any[]> => (await harness.call('GET', '/api/pending?chatId=all')).body.approvals;
  await expect.poll(async () => (await pending()).length).toBe(1);
  const [{ approvalId, always }] = await pending();
  expect(always).toBe('every call of send');
  const refused = await harness.call('POST', '/api/approve', { approvalId, decision: 'reject', remember: 'workspace' });
  expect(refused).toMatchObject({ status: 403, body: { error: { code: 'rule_refused' } } });
  expect(await pending()).toHaveLength(1);
  stop.abort();
  await guarded;
});

test('a call may be remembered by its kind, for the chat or the workspace, and only by its own kinds', async () => {
  const [one, two] = [await makeChat(), await makeChat()];
  const kind = 'make …';
  expect(await isAsked(one, 'build', { command: 'make docs' }, { decision: 'approve', remember: 'chat', kind })).toBe(true);
  expect(await isAsked(one, 'build', { command: 'make test' })).toBe(false);
  expect(await isAsked(one, 'build', { command: 'make test && rm a' })).toBe(true);
  expect(await isAsked(two, 'build', { command: 'make test' }, { decision: 'approve', remember: 'workspace', kind: 'make test …' })).toBe(true);
  expect(await isAsked(two, 'build', { command: 'make test' })).toBe(false);
  expect(await isAsked(two, 'build', { command: 'make docs' })).toBe(true);
  expect((await rules(one)).map(({ words }) => words)).toEqual(['always make test … in this folder', 'always make … in this chat']);
});

test('an approval lists the kinds of its call, except after the turn read external content', async () => {
  const chatId = await makeChat();
  const tool = harness.kernel.resolve('tools').find('build');
  if (!tool) throw new Error('no tool');
  const ask = async (isTainted: boolean, decision: object) => {
    const stop = new AbortController();
    const turn = fakeTurn({
      chatId,
      turnId: harness.kernel.resolve('storage').createId('turn'),
      workspaceRoot: harness.workspace,
      signal: stop.signal,
      isTainted,
    });
    const guarded = harness.kernel.resolve('gate').authorize({ callId: 'call', tool, args: { command: 'make docs' }, turn });
    const pending = async (): Promise<any[]> => (await harness.call('GET', '/api/pending?chatId=all')).body.approvals;
    await expect.poll(async () => (await pending()).length).toBe(1);
    const [{ approvalId, kinds }] = await pending();
    const { status, body } = await harness.call('POST', '/api/approve', { approvalId, ...decision });
    stop.abort();
    await guarded;
    return { kinds, status, code: body.error?.code };
  };
  const remember = { remember: 'chat' };
  expect(await ask(true, { decision: 'approve', ...remember, kind: 'make …' })).toEqual({ kinds: undefined, status: 400, code: 'invalid_request' });
  const kinds = ['make docs …', 'make …'];
  expect(await ask(false, { decision: 'approve', ...remember, kind: 'rm …' })).toEqual({ kinds, status: 400, code: 'invalid_request' });
  expect(await ask(false, { decision: 'reject', ...remember, kind: 'make …' })).toEqual({ kinds, status: 400, code: 'invalid_request' });
  expect(await rules(chatId)).toEqual([]);
});
