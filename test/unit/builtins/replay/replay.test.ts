// Tests offline replay of recorded turns: byte-identical, or with the first difference reported.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { runCommandLine } from '../../../helpers/command-line.ts';
import { type Harness, type ScriptedModel, type ScriptedReply, startHarness, startScriptedModel, useFolder } from '../../../helpers/in-process.ts';

const secret = 'correct-horse-battery-7';
const home = useFolder('replay-home-');
const workspace = useFolder('replay-work-');
let model: ScriptedModel;
let harness: Harness;

const start = (modules: Record<string, any> = {}): Promise<Harness> =>
  startHarness({
    modules,
    home,
    workspace,
    builtins: ['cli', 'files', 'checkpoints', 'subagents', 'replay', 'model-chat-completions', 'chat-export'],
    environment: model.environment,
  });

beforeEach(async () => {
  await writeFile(join(home, '.env'), `OTHER_PASSWORD=${secret}\n`);
  model = await startScriptedModel();
  harness = await start();
});

async function say(text: string, ...replies: ScriptedReply[]): Promise<{ chatId: string; turnId: string }> {
  model.push(...replies);
  const { chatId, turnId } = (await harness.call('POST', '/api/message', { text })).body;
  await harness.kernel.resolve('turns').ended(turnId);
  const { chats, storage } = { chats: harness.kernel.resolve('chats'), storage: harness.kernel.resolve('storage') };
  await expect.poll(async () => (await storage.list(join(chats.folder(chatId), 'replays'))).some((name) => name.startsWith(turnId))).toBe(true);
  return { chatId, turnId };
}

const command = (...argv: string[]): ReturnType<typeof runCommandLine> => runCommandLine(harness.kernel, ['replay', ...argv]);

async function replayed(turn = 'last'): Promise<any> {
  const { stdout, stderr } = await command(turn, '--json');
  return stdout === '' ? stderr : JSON.parse(stdout);
}

const reading: ScriptedReply = {
  reasoning: ['I look ', 'first.'],
  text: ['Two ', 'files.'],
  toolCalls: [
    { name: 'read_file', args: { path: 'a.txt' }, fragments: 3 },
    { name: 'read_file', args: { path: 'missing.txt' } },
    { name: 'no_such_tool', args: '{broken' },
  ],
};

test('replays a multi-round turn byte-identically after a restart without calling the model or a tool', async () => {
  await writeFile(join(workspace, 'a.txt'), 'Ships of oak.');
  await say('Read them.', reading, { status: 503 }, { toolCalls: [{ name: 'list_dir', args: {} }] }, { text: ['It says ', 'ships.'] });
  await harness.close({ keepFiles: true });
  await rm(join(workspace, 'a.txt'));
  harness = await start();
  const asked = model.requests.length;
  const { difference, events } = await replayed();
  expect(difference).toBeUndefined();
  expect(events.filter(({ kind }: any) => kind === 'tool_result')).toHaveLength(4);
  expect(events.at(-1)).toMatchObject({ kind: 'turn_end', reason: 'done', rounds: 3 });
  expect(model.requests).toHaveLength(asked);
  expect(await command()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Replay\n[\s\S]*The replay is identical, \d+ events\./) });
});

test('replays turns with tasks, with a provider error and with an abort', async () => {
  await say(
    'Hand it on.',
    {
      toolCalls: [
        { name: 'spawn_task', args: { goal: 'Look around.' } },
        { name: 'spawn_task', args: { goal: 'Look again.' } },
      ],
    },
    {
      text: 'Seen.',
      always: true,
      when: ({ body }) => JSON.stringify(body.messages).includes('Look ') && !JSON.stringify(body.messages).includes('Hand it on'),
    },
    { text: ['All ', 'seen.'], when: ({ body }) => JSON.stringify(body.messages).includes('Hand it on') },
  );
  const tasks = await replayed();
  expect(tasks.difference).toBeUndefined();

  await say('Fail.', { status: 401, when: ({ body }) => JSON.stringify(body.messages).includes('Fail.') });
  const failed = await replayed();
  expect(failed.difference).toBeUndefined();
  expect(failed.events.at(-1)).toMatchObject({ reason: 'error', error: { code: 'provider_auth' } });

  model.push({ text: ['One', 'two', 'three'], stallAfter: 2, when: ({ body }) => JSON.stringify(body.messages).includes('Wait.') });
  const { chatId, turnId } = (await harness.call('POST', '/api/message', { text: 'Wait.' })).body;
  const log = harness.kernel.resolve('eventLog');
  await expect.poll(async () => ((await log.replay(chatId, 0)) ?? []).some(({ json }) => json.includes(turnId) && json.includes('"delta":"two"'))).toBe(true);
  await harness.call('POST', '/api/session/abort', { chatId });
  await expect.poll(async () => (await replayed(turnId)).events?.at(-1).reason, { timeout: 5_000 }).toBe('aborted');
  expect((await replayed(turnId)).difference).toBeUndefined();
});

test('stores a text that a hook adds to every request once, and no copies of replies and results', async () => {
  const note = { role: 'system', text: 'A note of a hook.' };
  const replace = {
    register: (_: unknown, emitter: any) =>
      emitter.tap('model.request', (request: any) => ({
        ...request,
        messages: [...request.messages.map((one: any) => (one.role === 'tool' ? { ...one, text: 'shortened' } : one)), note],
      })),
  };
  await harness.close({ keepFiles: true });
  harness = await start({ replace });
  const list: ScriptedReply = { toolCalls: [{ name: 'list_dir', args: {} }] };
  const { chatId, turnId } = await say('List it twice.', list, list, { text: 'Listed.' });
  const folder = join(harness.kernel.resolve('chats').folder(chatId), 'replays');
  const file = (await readdir(folder)).find((name) => name.startsWith(turnId)) ?? '';
  const { asks } = JSON.parse(await readFile(join(folder, file), 'utf8'));
  expect(asks.map(({ messages }: any) => messages)).toEqual([[note], [], []]);
});

test('redacts secrets from a record and still replays the turn identically', async () => {
  const { chatId } = await say(`My key is sk-abcdefghijklmnop1234 and ${secret}`, {
    text: ['You said sk-abcdefgh', `ijklmnop1234, and ${secret.slice(0, 9)}`, secret.slice(9), '.'],
  });
  const folder = join(harness.kernel.resolve('chats').folder(chatId), 'replays');
  const records = (await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')))).join();
  expect(records).toContain('You said');
  for (const hidden of [secret, 'ijklmnop1234', model.environment['AGENT_API_KEY']!]) if (hidden.length > 3) expect(records).not.toContain(hidden);
  expect((await replayed()).difference).toBeUndefined();
});

test('replays a turn that wrote a file without writing it again', async () => {
  const content = 'one\n"two"\n'.repeat(200);
  await say('Write it.', { toolCalls: [{ name: 'write_file', args: { path: 'new.txt', content }, fragments: 20 }] }, { text: 'Written.' });
  expect(await readFile(join(workspace, 'new.txt'), 'utf8')).toBe(content);
  await rm(join(workspace, 'new.txt'));
  const { difference, events } = await replayed();
  expect(difference).toBeUndefined();
  expect(events.some(({ kind }: any) => kind === 'tool_result')).toBe(true);
  await expect(readFile(join(workspace, 'new.txt'))).rejects.toThrow('ENOENT');
});

test('redacts .env values from a saved test even if the conversation quoted them', async () => {
  await say(`It is ${secret}`, { text: 'Yes.' });
  await say('Say it.', { text: ['Said ', 'it.'] });
  const file = join(home, 'quoted.turn.json');
  expect((await command('--save-test', file)).code).toBe(0);
  expect(await readFile(file, 'utf8')).not.toContain(secret);
  expect((await command(file)).code).toBe(0);
});

test('passes a saved test and fails it when the turn differs', async () => {
  await say('Say it.', { text: ['Said ', 'it.'] });
  const file = join(home, 'said.turn.json');
  expect((await command('--save-test', file)).code).toBe(0);
  expect((await command('--test', file)).code).toBe(0);
  await writeFile(file, (await readFile(file, 'utf8')).replace('"delta": "it."', '"delta": "him."'));
  expect(await command('--test', file)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('The replay differs from the recorded turn: event 3 is different.'),
  });
});

test('reports a missing record, limits the number of records, and reads records of version 0.1', async () => {
  expect(await command()).toMatchObject({ code: 1, stderr: expect.stringContaining('REPLAY_ERR_NO_RECORD') });
  await harness.call('PUT', '/api/settings', { harness: { env: { AGENT_REPLAY_TURNS: '2' } } });
  const chatIds = new Set<string>();
  const turnIds: string[] = [];
  for (const text of ['One.', 'Two.', 'Three.']) {
    const { chatId, turnId } = await say(text, { text: 'Yes.' });
    chatIds.add(chatId);
    turnIds.push(turnId);
  }
  expect(chatIds.size).toBe(1);
  expect(await command('turn_00000000000000000000000000')).toMatchObject({ code: 1, stderr: expect.stringContaining('REPLAY_ERR_NOT_FOUND') });
  expect((await replayed(turnIds[2])).difference).toBeUndefined();
  const folder = join(harness.kernel.resolve('chats').folder([...chatIds][0]!), 'replays');
  const filesOf = async (kind: string): Promise<string[]> => (await readdir(folder)).filter((name) => name.startsWith(kind));
  await expect.poll(async () => (await filesOf('turn_')).length).toBe(2);
  // The system prompt and tools shared by these turns are stored once.
  const [shared = '', ...more] = await filesOf('shared');
  expect(more).toEqual([]);
  const [file = ''] = await filesOf(turnIds[2] as string);
  expect(await readFile(join(folder, file), 'utf8')).not.toContain('read_file');
  // The record format of version 0.1.
  const record = { ...JSON.parse(await readFile(join(folder, file), 'utf8')), texts: JSON.parse(await readFile(join(folder, shared), 'utf8')) };
  await rm(join(folder, file));
  await writeFile(join(folder, `${turnIds[2]}.1000.json`), JSON.stringify(record));
  expect((await replayed(turnIds[2])).difference).toBeUndefined();
  expect(await command(turnIds[0]!)).toMatchObject({ code: 1, stderr: expect.stringContaining('REPLAY_ERR_NO_RECORD') });
  await harness.call('PUT', '/api/settings', { harness: { env: { AGENT_REPLAY_RECORD: '0' } } });
  model.push({ text: 'Yes.' });
  const { turnId } = (await harness.call('POST', '/api/message', { text: 'Four.' })).body;
  await harness.kernel.resolve('turns').ended(turnId);
  expect(await command(turnId)).toMatchObject({ code: 1, stderr: expect.stringContaining('REPLAY_ERR_NO_RECORD') });
});

test('omits a message removed during a turn from its record and still replays the turn', async () => {
  const word = 'marigold';
  const turns = harness.kernel.resolve('turns');
  let messageId = '';
  harness.kernel.emitter.on('message_accepted', (event) => (messageId ||= event.messageId));
  const { chatId } = await say(`The secret word of the harbour is ${word}.`, { text: 'Noted.' });
  const removed: Promise<unknown>[] = [];
  harness.kernel.emitter.on('tool_result', () => void removed.push(turns.remove(chatId, messageId)));
  await writeFile(join(workspace, 'a.txt'), 'Ships of oak.');
  const { turnId } = await say('Read a.txt.', { toolCalls: [{ name: 'read_file', args: { path: 'a.txt' } }] }, { text: 'Ships.' });
  await Promise.all(removed);
  expect(model.requests.map(({ body }) => JSON.stringify(body).includes(word))).toEqual([true, true, false]);
  const folder = join(harness.kernel.resolve('chats').folder(chatId), 'replays');
  const file = (await readdir(folder)).find((name) => name.startsWith(turnId)) ?? '';
  expect(await readFile(join(folder, file), 'utf8')).not.toContain(word);
  expect((await replayed(turnId)).difference).toBeUndefined();

  const records = harness.kernel.resolve('turnRecords');
  const pack = (): Promise<any> => records.pack(chatId, turnId, { earlier: true, requests: true, results: true, mask: (text) => text });
  const first = await pack();
  expect(JSON.stringify(first)).not.toContain(word);
  expect(JSON.stringify(first)).toContain('Ships of oak');
  const { entries } = (await harness.call('GET', `/api/chats/${chatId}/transcript`)).body;
  await turns.remove(chatId, entries.find(({ kind }: any) => kind === 'tool').id);
  const { turn, difference } = await pack();
  expect(difference).toBeUndefined();
  expect(JSON.stringify(turn)).not.toContain('Ships of oak');
  expect((await records.play(turn)).difference).toBeUndefined();
});
