// Tests the repair behind `doctor --repair`: rebuilds everything derived from the journals, with the real chats and agent.
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type Harness, runTurn, startHarness, useFolder } from '../../../helpers/in-process.ts';

const builtins = ['model-demo'];
const place = { home: useFolder('rebuild-'), workspace: useFolder('rebuild-work-') };
let chatId: string;
let harness: Harness | undefined;
beforeEach(async () => {
  harness = await startHarness({ ...place, builtins });
  await runTurn(harness, 'What is in größe.md?');
  ({ chatId } = (await harness.call('GET', '/api/chats')).body.chats[0]);
  await runTurn(harness, 'And now?');
  await harness.close();
});

const chatFile = (name: string): string => join(place.home, 'chats', chatId, name);
const readJson = async (path: string): Promise<any> => JSON.parse(await readFile(path, 'utf8'));

async function rebuild(): Promise<Record<string, string>> {
  harness = await startHarness({ ...place, builtins, listen: false });
  const repairs = await harness.kernel.resolve('chats').rebuild();
  await harness.close();
  return Object.fromEntries(repairs.map(({ path, text }) => [path.slice(place.home.length + 1).replace(chatId, '<chat>'), text]));
}

test('an intact home is unchanged, byte for byte', async () => {
  const paths = [chatFile('meta.json'), chatFile('session.jsonl'), join(place.home, 'event_id.json')];
  const read = async (): Promise<string[]> => Promise.all(paths.map((path) => readFile(path, 'utf8')));
  const before = await read();
  expect(await rebuild()).toEqual({});
  expect(await read()).toEqual(before);
});

test('rebuilds a missing meta.json with title, turns and times', async () => {
  const before = await readJson(chatFile('meta.json'));
  await rm(chatFile('meta.json'));
  expect(await rebuild()).toEqual({
    'chats/<chat>/meta.json': `The file was rebuilt from the journal: 2 turns; its workspace is ${before.workspaceRoot}.`,
  });
  const after = await readJson(chatFile('meta.json'));
  expect(after).toMatchObject({
    chatId,
    title: 'What is in größe.md?',
    turns: 2,
    isTitled: true,
    createdAt: expect.any(String),
    workspaceRoot: before.workspaceRoot,
  });
  harness = await startHarness({ ...place, builtins });
  expect((await harness.call('GET', '/api/chats')).body).toMatchObject({ activeChatId: chatId, orphanIds: [], chats: [{ chatId, turns: 2 }] });
  expect((await runTurn(harness, 'and then?')).end).toMatchObject({ reason: 'done' });
});

test('a chat with an unknown workspace gets an empty folder of its own', async () => {
  await rm(chatFile('meta.json'));
  const journal = await readFile(chatFile('session.jsonl'), 'utf8');
  await writeFile(chatFile('session.jsonl'), journal.replace(/,"workspaceMode":"folder","workspaceRoot":"[^"]*"/, ''));
  expect(await rebuild()).toEqual({ 'chats/<chat>/meta.json': expect.stringContaining('its workspace is unknown') });
  expect(await readJson(chatFile('meta.json'))).toMatchObject({ workspaceMode: 'scratch', workspaceRoot: expect.stringContaining(join(chatId, 'workspace')) });
  expect(await readdir(chatFile('workspace'))).toEqual([]);
});

test('a broken meta.json still provides the workspace, and a wrong turn count is corrected', async () => {
  const meta = await readFile(chatFile('meta.json'), 'utf8');
  const elsewhere = await mkdtemp(join(tmpdir(), 'elsewhere-'));
  await writeFile(chatFile('meta.json'), meta.replace(/"workspaceRoot": "[^"]*"/, `"workspaceRoot": "${elsewhere}"`).slice(0, -20));
  expect(await rebuild()).toMatchObject({ 'chats/<chat>/meta.json': `The file was rebuilt from the journal: 2 turns; its workspace is ${elsewhere}.` });
  expect(await readJson(chatFile('meta.json'))).toMatchObject({ workspaceMode: 'folder', workspaceRoot: elsewhere });
  await writeFile(chatFile('meta.json'), meta.replace('"turns": 2', '"turns": 1'));
  expect(await rebuild()).toEqual({ 'chats/<chat>/meta.json': 'The number of turns was corrected from 1 to 2.' });
  expect((await readJson(chatFile('meta.json'))).turns).toBe(2);
  await rm(elsewhere, { recursive: true });
});

test('a partial last line is moved to a separate file, and unreadable lines are counted and preserved', async () => {
  const whole = await readFile(chatFile('session.jsonl'), 'utf8');
  await appendFile(chatFile('session.jsonl'), 'nonsense\n{"id":');
  expect(await rebuild()).toEqual({ 'chats/<chat>/session.jsonl': expect.stringMatching(/^1 line cannot be read/) });
  expect(await readFile(chatFile('session.jsonl'), 'utf8')).toBe(`${whole}nonsense\n`);
  await writeFile(chatFile('session.jsonl'), `${whole}{"id":77,"ki`);
  expect(await rebuild()).toEqual({
    'chats/<chat>/session.jsonl': expect.stringMatching(/^The end of the journal could not be read; its 12 bytes were moved to .*session\.jsonl\.cut-/),
  });
});

test.each([['{"next":2}'], ['{"next"'], [undefined]])('event ids continue after the highest in any journal if the id file contains %s', async (text) => {
  const idsPath = join(place.home, 'event_id.json');
  const line = JSON.stringify({ id: 400_000, kind: 'chat_updated', at: '2026-01-01T00:00:00.000Z', chatId, change: 'renamed', title: 'Late' });
  const whole = await readFile(chatFile('session.jsonl'), 'utf8');
  // Not the last line of its journal, so reading only the end would miss it.
  await writeFile(chatFile('session.jsonl'), `${line}\n${whole}`);
  await (text === undefined ? rm(idsPath) : writeFile(idsPath, text));
  expect(await rebuild()).toEqual({ 'event_id.json': 'New event ids continue after 400000, the highest id in the journals.' });
  harness = await startHarness({ ...place, builtins });
  expect((await runTurn(harness, 'hello')).events.every((event) => event['id'] === undefined || event['id'] > 400_000)).toBe(true);
});

test('an invalid active chat is replaced, and without any chat the file is removed', async () => {
  const activePath = join(place.home, 'active_chat.json');
  await writeFile(activePath, '{"chatId":"chat_01ARZ3NDEKTSV4RRFFQ69G5FAV"}');
  expect(await rebuild()).toEqual({ 'active_chat.json': expect.stringContaining(chatId) });
  expect(await readJson(activePath)).toEqual({ chatId });
  await rm(join(place.home, 'chats'), { recursive: true });
  await mkdir(join(place.home, 'chats', chatId, 'workspace'), { recursive: true });
  expect(await rebuild()).toEqual({ 'active_chat.json': 'There is no chat, so the file was removed.' });
  expect(await readdir(place.home)).not.toContain('active_chat.json');
});

test('running markers are set for chats with an open turn and removed for others', async () => {
  const turnId = 'turn_01ARZ3NDEKTSV4RRFFQ69G5FAW';
  const accepted = { id: 90_000, kind: 'message_accepted', at: '2026-01-01T00:00:00.000Z', chatId, turnId, messageId: 'msg_9', text: 'x', attachments: [] };
  await writeFile(join(place.home, 'running', chatId), '');
  await writeFile(join(place.home, 'running', 'chat_01ARZ3NDEKTSV4RRFFQ69G5FAV'), '');
  expect(await rebuild()).toEqual({
    'running/<chat>': 'No turn was running in this chat; the marker file was removed.',
    'running/chat_01ARZ3NDEKTSV4RRFFQ69G5FAV': 'The chat does not exist; the marker file was removed.',
  });
  await appendFile(chatFile('session.jsonl'), `${JSON.stringify(accepted)}\n`);
  expect(await rebuild()).toMatchObject({ 'running/<chat>': '1 turn of this chat has no end; the next start of the server ends it as interrupted.' });
  expect(await readdir(join(place.home, 'running'))).toEqual([chatId]);
  harness = await startHarness({ ...place, builtins });
  expect(await readFile(chatFile('session.jsonl'), 'utf8')).toContain(`"turnId":"${turnId}","reason":"interrupted"`);
});

test('a repair is rejected while a server uses the home folder', async () => {
  harness = await startHarness({ ...place, builtins });
  await rm(chatFile('meta.json'));
  const other = await startHarness({ ...place, builtins, listen: false });
  await expect(other.kernel.resolve('chats').rebuild()).rejects.toMatchObject({ code: 'CHATS_ERR_HOME_IN_USE' });
  await expect(harness.kernel.resolve('chats').rebuild()).rejects.toMatchObject({ code: 'CHATS_ERR_HOME_IN_USE' });
  await expect(readFile(chatFile('meta.json'))).rejects.toThrow();
});
