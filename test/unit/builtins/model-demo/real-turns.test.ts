// Tests the demo model with the real agent and tools over HTTP, without a key.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHarness, useAll } from '../../../helpers/in-process.ts';

const harness = useAll(() => startHarness());

interface Turn {
  readonly reason: string;
  readonly tools: any[];
  readonly answer: string;
}

async function newChat(): Promise<{ chatId: string; workspaceRoot: string }> {
  const { status, body } = await harness.call('POST', '/api/chats', { workspaceMode: 'scratch' });
  expect(status).toBe(201);
  return body;
}

async function submit(chatId: string, text: string): Promise<string> {
  const { status, body } = await harness.call('POST', '/api/message', { chatId, text });
  expect([status, body]).toEqual([202, expect.objectContaining({ chatId })]);
  return body.turnId;
}

async function end(chatId: string, turnId: string): Promise<Turn> {
  const ended = await harness.kernel.resolve('turns').ended(turnId);
  const { body } = await harness.call('GET', `/api/chats/${chatId}/transcript`);
  const entries = body.entries.filter((entry: any) => entry.turnId === turnId);
  return {
    reason: ended?.reason ?? 'unknown',
    tools: entries.filter((entry: any) => entry.kind === 'tool'),
    answer: entries.findLast((entry: any) => entry.kind === 'assistant')?.text ?? '',
  };
}

async function pending(chatId: string, kind: 'approvals' | 'questions'): Promise<any> {
  return expect
    .poll(async () => (await harness.call('GET', `/api/pending?chatId=${chatId}`)).body[kind], { timeout: 10_000, interval: 20 })
    .toHaveLength(1)
    .then(async () => (await harness.call('GET', `/api/pending?chatId=${chatId}`)).body[kind][0]);
}

test('reports a failed tool call and continues', async () => {
  const { chatId } = await newChat();
  const turn = await end(chatId, await submit(chatId, 'read missing.txt, then list the files'));
  expect(turn.tools).toMatchObject([
    { name: 'read_file', ok: false },
    { name: 'list_dir', ok: true },
  ]);
  expect(turn.answer).toContain('1 of 2 steps worked.');
  expect(turn.answer).toContain('missing.txt');
});

test('asks a question and uses the answer', async () => {
  const { chatId, workspaceRoot } = await newChat();
  const turnId = await submit(chatId, 'ask me which colour I like, then write colour.txt with my answer');
  const question = await pending(chatId, 'questions');
  expect(question).toMatchObject({ prompt: 'Which colour do you like?', options: ['Blue', 'Green', 'Red'] });
  expect((await harness.call('POST', '/api/answer', { askId: question.askId, answer: 'Green' })).status).toBe(200);
  expect((await end(chatId, turnId)).answer).toContain('You answered: Green');
  expect(await readFile(join(workspaceRoot, 'colour.txt'), 'utf8')).toBe('Green\n');
});

test('waits for the approval of a command, reports a denial and continues', async () => {
  const { chatId, workspaceRoot } = await newChat();
  await mkdir(join(workspaceRoot, 'build'));
  const turnId = await submit(chatId, 'run `rm -r build`, then list the files');
  const approval = await pending(chatId, 'approvals');
  expect(approval).toMatchObject({ name: 'run_command', args: { command: 'rm -r build' } });
  expect((await harness.call('POST', '/api/approve', { approvalId: approval.approvalId, decision: 'reject', reason: 'keep it' })).status).toBe(200);
  const turn = await end(chatId, turnId);
  expect(turn.tools).toMatchObject([
    { name: 'run_command', ok: false },
    { name: 'list_dir', ok: true },
  ]);
  expect(turn.answer).toContain('keep it');
  expect(turn.answer).toContain('build/');
});

test('uses a steering message in the running turn', async () => {
  const { chatId, workspaceRoot } = await newChat();
  await writeFile(join(workspaceRoot, 'zebra.txt'), 'stripes');
  const turnId = await submit(chatId, 'ask me whether I want tea, then list the files');
  const question = await pending(chatId, 'questions');
  const steer = await harness.call('POST', '/api/message', { chatId, text: 'also read zebra.txt', whenBusy: 'steer' });
  expect(steer.body).toMatchObject({ turnId, queued: false });
  await harness.call('POST', '/api/answer', { askId: question.askId, answer: 'Yes' });
  const turn = await end(chatId, turnId);
  expect(turn.tools.map((tool) => tool.name)).toEqual(['ask_user', 'list_dir', 'read_file']);
  expect(turn.answer).toContain('stripes');
});

test('the configuration reports the demo model', async () => {
  expect((await harness.call('GET', '/api/config')).body).toMatchObject({ demoModel: true });
});
