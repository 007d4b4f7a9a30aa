// Tests entry annotations of plugins: in transcripts, in search results, and as events.
import { beforeEach, expect, test } from 'vitest';
import { type Harness, openEventStream, runTurn, startHarness } from '../../../helpers/in-process.ts';

let harness: Harness;
let emitter: any;
const starred = new Set<string>();
beforeEach(async () => {
  starred.clear();
  const star = {
    manifest: { name: 'star', requires: ['chats'] },
    register(registry: any, own: any) {
      emitter = own;
      registry.add('entry_mark', { name: 'star', label: 'Starred', of: async () => starred });
      registry.add('entry_mark', { name: 'aloud', label: 'Read aloud', of: async (chatId: string) => new Set([`all of ${chatId}`]) });
    },
  };
  const broken = {
    manifest: { name: 'broken' },
    register: (registry: any) => registry.add('entry_mark', { name: 'broken', label: 'Broken', of: () => Promise.reject(new Error('it cannot be read')) }),
  };
  const twice = {
    manifest: { name: 'twice' },
    register: (registry: any) => registry.add('entry_mark', { name: 'star', label: 'Another', of: async () => starred }),
  };
  harness = await startHarness({ modules: { star, broken, twice } as never });
});

test('annotations appear in the newest page and in search results, emit changes, and are removed with their plugin', async () => {
  const { events } = await runTurn(harness, 'Please say hello');
  const { chatId, messageId } = events.find(({ kind }) => kind === 'message_accepted')!;
  const transcript = async (query = ''): Promise<any> => (await harness.call('GET', `/api/chats/${chatId}/transcript${query}`)).body;
  const hit = async (): Promise<any> => (await harness.call('GET', '/api/chats/search?q=say%20hello')).body.hits.find((one: any) => one.entryId === messageId);
  const other = { label: 'Read aloud', ids: [`all of ${chatId}`] };
  expect((await transcript()).marks).toEqual([other]);
  expect((await hit()).marks).toBeUndefined();

  const stream = await openEventStream(harness);
  starred.add(messageId);
  await emitter.call('entry.marked', [{ chatId, entryId: messageId }]);
  expect(await stream.until('entry_marked')).toMatchObject({ chatId, entryId: messageId, marks: ['Starred'] });
  expect((await transcript()).marks).toEqual([{ label: 'Starred', ids: [messageId] }, other]);
  expect((await hit()).marks).toEqual(['Starred']);
  const { cursor } = await transcript('?limit=1');
  expect((await transcript(`?limit=1&before=${cursor}`)).marks).toBeUndefined();

  starred.clear();
  await emitter.call('entry.marked', [{ chatId, entryId: messageId }]);
  expect(await stream.until(({ kind, marks }) => kind === 'entry_marked' && marks.length === 0)).toMatchObject({ chatId, entryId: messageId });
  expect((await transcript()).marks).toEqual([other]);

  const away = await openEventStream(harness, { chatId: String(chatId) }, String(events.at(-1)?.['id']));
  await away.until(({ kind, marks }) => kind === 'entry_marked' && marks.length === 0);
  expect(away.events.filter(({ kind }) => kind === 'entry_marked').map(({ marks }) => marks)).toEqual([['Starred'], []]);
  away.close();

  expect((await harness.call('PUT', '/api/plugins/star', { disabled: true })).status).toBe(200);
  await stream.until('entry_marks_changed');
  expect((await transcript()).marks).toBeUndefined();
});

test('a second annotation with the same name fails its plugin', async () => {
  const { plugins } = (await harness.call('GET', '/api/plugins')).body;
  const found = Object.fromEntries(plugins.map(({ name, ...row }: any) => [name, row]));
  expect(found['star'].state).toBe('active');
  expect(JSON.stringify(found['twice'])).toContain("there is a mark of entries 'star' already");
});
