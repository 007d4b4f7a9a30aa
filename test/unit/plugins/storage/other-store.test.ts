// Tests the platform on a store that is not file-based: turns, a restart, a crash, and chat operations.
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDistribution, type OpenedDistribution } from '../../../../builtins/distribution/open.ts';
import { allModules, load, useFolder } from '../../../helpers/in-process.ts';
import { createMemoryStores, type Values } from './memory-stores.ts';

let values: Values;
const opened = new Set<OpenedDistribution>();
const home = useFolder('other-store-');
beforeEach(async () => {
  values = new Map();
});
afterEach(async () => {
  for (const one of opened) await one.kernel.close();
  opened.clear();
});

/** @param over store of an earlier start @param isWorking starts the app, which locks the home folder */
async function start(over: Values = values, isWorking = true): Promise<OpenedDistribution> {
  const { storage: _, ...platform } = await load(allModules.platform);
  const stores = createMemoryStores(() => undefined, over);
  const memory = {
    manifest: { name: 'memory-storage', provides: ['storage', 'journals'] },
    register(registry: any) {
      registry.provide('storage', () => stores.storage);
      registry.provide('journals', () => stores.journals);
    },
  } as never;
  const one = await openDistribution(
    { name: 'app', title: 'App', sources: [{ origin: 'platform', modules: { 'memory-storage': memory } }] },
    {
      ...{ environment: {}, home, startFolder: home, log: () => undefined },
      sources: [
        { origin: 'platform', modules: platform },
        { origin: 'builtin', modules: await load(allModules.builtin, ['model-demo', 'files', 'artifacts', 'plan']) },
      ],
    },
  );
  opened.add(one);
  await one.ready;
  if (isWorking) await one.kernel.control.start();
  return one;
}

async function stop(one: OpenedDistribution): Promise<void> {
  opened.delete(one);
  expect(await one.kernel.close()).toEqual([]);
}

async function say({ kernel }: OpenedDistribution, text: string): Promise<string> {
  const { turnId, chatId } = await kernel.resolve('turns').submit({ text });
  expect(await kernel.resolve('turns').ended(turnId)).toMatchObject({ reason: 'done' });
  return chatId;
}

const kindsOf = async ({ kernel }: OpenedDistribution, chatId: string): Promise<string[]> =>
  (await kernel.resolve('chats').transcript(chatId)).entries.map(({ kind }) => kind);

test('a turn leaves no file in the home folder, and the next start continues its chat', async () => {
  await writeFile(join(home, 'hello.txt'), 'hi');
  const first = await start();
  const chatId = await say(first, 'read hello.txt');
  const kinds = await kindsOf(first, chatId);
  expect(kinds).toEqual(['user', 'assistant', 'tool', 'assistant']);
  const { cursor } = first.kernel.resolve('eventLog');
  await stop(first);
  expect(await readdir(home)).toEqual(['hello.txt']);

  const second = await start();
  expect(second.kernel.resolve('eventLog').cursor).toBeGreaterThanOrEqual(cursor);
  expect((await second.kernel.resolve('chats').active()).chatId).toBe(chatId);
  expect(await kindsOf(second, chatId)).toEqual(kinds);
  expect(await say(second, 'list the files')).toBe(chatId);
  expect((await second.kernel.resolve('chats').get(chatId)).turns).toBe(2);
  expect((await second.kernel.resolve('chats').search('hello')).map((hit) => hit.chatId)).toContain(chatId);
  expect((await second.kernel.resolve('models').usage()).length).toBeGreaterThan(1);
});

test('after a crash the next start ends the open turn as interrupted', async () => {
  const first = await start();
  const left: Values[] = [];
  first.kernel.emitter.on('tool_start', () => {
    // A dead process leaves the store as of its last write.
    void first.kernel
      .resolve('eventLog')
      .flushed(first.kernel.resolve('chats').activeId ?? '')
      .then(() => left.push(new Map([...values].map(([path, { bytes }]) => [path, { bytes }]))));
  });
  const chatId = await say(first, 'list the files');
  await stop(first);
  const [crashed = new Map()] = left;
  expect([...crashed.keys()].some((path) => path.startsWith(join(home, 'running')))).toBe(true);

  const second = await start(crashed);
  const reasons: unknown[] = [];
  for await (const event of second.kernel.resolve('eventLog').read(chatId)) if (event.kind === 'turn_end') reasons.push(event['reason']);
  expect(reasons).toEqual(['interrupted']);
  expect(await say(second, 'list the files')).toBe(chatId);
});

test('chats are forked, deleted, restored and repaired', async () => {
  const one = await start();
  const chats = one.kernel.resolve('chats');
  const chatId = await say(one, 'list the files');
  const copy = await chats.fork(chatId);
  expect(await kindsOf(one, copy.chatId)).toEqual(await kindsOf(one, chatId));
  await chats.remove(copy.chatId);
  expect((await chats.trash()).map((gone) => gone.chatId)).toEqual([copy.chatId]);
  expect(await chats.restore(copy.chatId)).toMatchObject({ title: copy.title });
  expect((await chats.list()).chats).toHaveLength(2);
  await chats.remove(copy.chatId);
  await chats.erase(copy.chatId);
  expect([...values.keys()].some((path) => path.includes(copy.chatId))).toBe(false);
  await stop(one);

  values.delete(join(home, 'chats', chatId, 'meta.json'));
  values.delete(join(home, 'event_id.json'));
  const next = await start(values, false);
  const repairs = await next.kernel.resolve('chats').rebuild();
  expect(repairs.map(({ path }) => path)).toContain(join(home, 'chats', chatId, 'meta.json'));
  expect(await next.kernel.resolve('chats').get(chatId)).toMatchObject({ turns: 1, workspaceRoot: home });
});
