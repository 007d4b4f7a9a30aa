import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type Harness, openEventStream, startHarness, useFolder } from '../../../helpers/in-process.ts';
import { openChats } from './open-chats.ts';

let harness: Harness;
const home = useFolder('facts-');
beforeEach(async () => {
  harness = await startHarness({ builtins: [], home });
});

const make = async (title: string): Promise<string> => (await harness.call('POST', '/api/chats', { title })).body.chatId;
const titles = async (query = ''): Promise<string[]> => (await harness.call('GET', `/api/chats${query}`)).body.chats.map((chat: any) => chat.title);
const change = (chatId: string, body: object) => harness.call('PATCH', `/api/chats/${chatId}`, body);

test('pinned chats come first, archived ones are listed on request, and both survive a restart', async () => {
  const [one, two, three] = [await make('One'), await make('Two'), await make('Three')];
  expect((await harness.call('GET', `/api/chats/${one}`)).body).toMatchObject({ mode: 'ask', pinned: false, archived: false, tags: [] });
  expect(await change(one, { pinned: true, tags: ['work', ' Work ', 'a\nb'], mode: 'auto' })).toMatchObject({
    status: 200,
    body: { pinned: true, tags: ['work', 'a b'], mode: 'auto' },
  });
  await change(two, { archived: true });
  expect(await titles()).toEqual(['One', 'Three']);
  expect(await titles('?archived=true')).toEqual(['One', 'Three', 'Two']);
  expect((await harness.call('GET', `/api/chats/${two}`)).body.archived).toBe(true);

  await harness.close({ keepFiles: true });
  harness = await startHarness({ builtins: [], home });
  expect(await titles()).toEqual(['One', 'Three']);
  expect((await harness.call('GET', `/api/chats/${one}`)).body).toMatchObject({ pinned: true, tags: ['work', 'a b'], mode: 'auto' });
  expect((await change(two, { archived: false })).body.archived).toBe(false);
  expect(await titles()).toEqual(['One', 'Three', 'Two']);
  expect((await change(three, { tags: [] })).body.tags).toEqual([]);
});

test('each change emits its own chat_updated event', async () => {
  const chatId = await make('One');
  const stream = await openEventStream(harness, { chatId: 'all' });
  await change(chatId, { mode: 'careful', pinned: true, archived: true, tags: ['x'] });
  await stream.until((event) => event['change'] === 'tags');
  expect(stream.events.filter((event) => event.kind === 'chat_updated')).toMatchObject([
    { chatId, change: 'mode', mode: 'careful' },
    { chatId, change: 'pinned', pinned: true },
    { chatId, change: 'archived', archived: true },
    { chatId, change: 'tags', tags: ['x'] },
  ]);
});

test.each([
  [{ mode: 'yolo' }],
  [{ pinned: 'yes' }],
  [{ tags: 'x' }],
  [{ tags: ['x'.repeat(41)] }],
  [{ tags: Array.from({ length: 21 }, (_, at) => String(at)) }],
  [{ color: 'red' }],
  [{}],
])('rejects %j', async (body) => {
  expect(await change(await make('One'), body)).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
});

test('a fork copies the mode and the tags but is neither pinned nor archived', async () => {
  const chatId = await make('One');
  await change(chatId, { mode: 'careful', pinned: true, archived: true, tags: ['x'] });
  const copy = await harness.call('POST', `/api/chats/${chatId}/fork`, {});
  expect(copy.body).toMatchObject({ mode: 'careful', tags: ['x'], pinned: false, archived: false });
});

test('missing or invalid fields in meta.json get defaults, and a lost file is rebuilt from the journal', async () => {
  const chatId = await make('One');
  await change(chatId, { mode: 'careful', tags: ['x'], pinned: true });
  const path = join(home, 'chats', chatId, 'meta.json');
  const meta = (await harness.call('GET', `/api/chats/${chatId}`)).body;
  await harness.close({ keepFiles: true });
  await writeFile(path, JSON.stringify({ ...meta, mode: 'all', pinned: 'no', archived: undefined, tags: [1, 'y'] }));
  harness = await startHarness({ builtins: [], home });
  expect((await harness.call('GET', `/api/chats/${chatId}`)).body).toMatchObject({ mode: 'ask', pinned: false, archived: false, tags: ['y'] });
  await harness.close({ keepFiles: true });
  await rm(path);
  const opened = await openChats({ home });
  await opened.chats.rebuild();
  expect(await opened.chats.get(chatId)).toMatchObject({ mode: 'careful', pinned: true, tags: ['x'] });
  await opened.close();
  harness = await startHarness({ builtins: [], home });
});
