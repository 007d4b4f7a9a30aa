// Tests `/call`, which runs one tool for the user as a turn without a model.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type Harness, openEventStream, startHarness, startScriptedModel, useEach } from '../../../helpers/in-process.ts';

let harness: Harness;
let chatId: string;
const builtins = ['direct-call', 'files', 'shell', 'checkpoints', 'model-chat-completions'];
const model = useEach(() => startScriptedModel(() => ({ text: 'I see.' })));
beforeEach(async () => {
  harness = await startHarness({ builtins, environment: model.environment });
  await writeFile(join(harness.workspace, 'a.txt'), 'one\n');
  chatId = (await harness.call('POST', '/api/chats', { workspaceMode: 'folder', workspaceRoot: harness.workspace })).body.chatId;
});

async function say(text: string, meanwhile?: () => Promise<void>): Promise<any[]> {
  const stream = await openEventStream(harness);
  const { turnId } = (await harness.call('POST', '/api/message', { text, chatId })).body;
  await meanwhile?.();
  await stream.until((event) => event.kind === 'turn_end' && event['turnId'] === turnId);
  stream.close();
  const { entries } = (await harness.call('GET', `/api/chats/${chatId}/transcript`)).body;
  return entries.filter((entry: any) => entry.turnId === turnId && entry.kind !== 'user');
}
async function decide(decision: string): Promise<void> {
  let pending: any[] = [];
  await expect.poll(async () => (pending = (await harness.call('GET', `/api/pending?chatId=${chatId}`)).body.approvals).length).toBe(1);
  await harness.call('POST', '/api/approve', { approvalId: pending[0].approvalId, decision });
}

test('runs a tool without a model, and adds the call to the conversation, also after a restart', async () => {
  expect(await say('/call read_file {"path": "a.txt"}')).toMatchObject([{ kind: 'tool', name: 'read_file', ok: true, args: { path: 'a.txt' } }]);
  expect(model.requests).toHaveLength(0);
  const { home, workspace } = harness;
  await harness.close({ keepFiles: true });
  harness = await startHarness({ builtins, environment: model.environment, home, workspace });
  await say('What did it say?');
  const { messages } = model.requests[0]?.body as { messages: any[] };
  expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user']);
  expect(messages[2].tool_calls[0].function).toEqual({ name: 'read_file', arguments: '{"path": "a.txt"}' });
  expect(messages[3].content).toContain('one');
});

test('requires approval as usual, and undo reverts the change', async () => {
  expect(await say('/call run_command {"command": "touch b.txt"}', () => decide('reject'))).toMatchObject([{ kind: 'tool', ok: false }]);
  expect(await say('/call run_command {"command": "touch b.txt"}', () => decide('approve'))).toMatchObject([{ kind: 'tool', ok: true }]);
  await say('/call edit_file {"path": "a.txt", "edits": [{"search": "one", "replace": "two"}]}');
  expect(await readFile(join(harness.workspace, 'a.txt'), 'utf8')).toBe('two\n');
  expect((await harness.call('POST', '/api/undo', { chatId })).status).toBe(200);
  expect(await readFile(join(harness.workspace, 'a.txt'), 'utf8')).toBe('one\n');
});

test.each([
  ['/call', /Enter the name of a tool.*read_file/s],
  ['/call red_file {}', /read_file/],
  ['/call read_file {"pth": "a.txt"}', /\/path is missing/],
  ['/call read_file {"path": ', /arguments/],
])('answers %s with an error and runs no tool', async (text, answer) => {
  expect(await say(text)).toMatchObject([{ kind: 'assistant', text: expect.stringMatching(answer) }]);
});

test('POST /api/commands sends /call as a message, and the command service rejects it outside a turn', async () => {
  const stream = await openEventStream(harness);
  const { status, body } = await harness.call('POST', '/api/commands', { name: 'call', args: 'list_dir', chatId });
  expect([status, body.text]).toEqual([200, '']);
  await stream.until((event) => event.kind === 'turn_end' && event['turnId'] === body.turnId);
  stream.close();
  const { entries } = (await harness.call('GET', `/api/chats/${chatId}/transcript`)).body;
  expect(entries).toMatchObject([
    { kind: 'user', text: '/call list_dir' },
    { kind: 'tool', ok: true },
  ]);
  expect((await harness.call('POST', '/api/commands', { name: 'call', args: 'nothing', chatId })).body.text).toContain("Unknown tool 'nothing'");
  const context = { chatId, workspaceRoot: harness.workspace, args: 'list_dir' };
  await expect(harness.kernel.resolve('commands').runSlash('call', context)).rejects.toMatchObject({ code: 'COMMANDS_ERR_NEEDS_TURN' });
});

test('stops a turn that only calls a tool', async () => {
  const entries = await say('/call run_command {"command": "sleep 60"}', async () => {
    await decide('approve');
    await expect.poll(async () => (await harness.call('GET', '/api/status')).body.chats[0].waitingFor).toBe('tool');
    await harness.call('POST', '/api/session/abort', { chatId });
  });
  expect(entries).toMatchObject([
    { kind: 'tool', ok: false },
    { kind: 'system', text: 'Stopped by the user.' },
  ]);
});
