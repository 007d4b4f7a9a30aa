import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile, readdir, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { openWriter, type Writer } from './note-writer.ts';
import { useFolder, useFolderForAll } from '../../../helpers/use-opened.ts';

let place: { chatId: string; workspaceRoot: string };
let home: string;
const built = useFolderForAll('notes-built-');
beforeAll(async () => {
  await build({
    ...{ entryPoints: [join(import.meta.dirname, 'note-writer-main.ts')], outfile: join(built, 'writer.mjs'), bundle: true, platform: 'node', format: 'esm' },
    ...{ conditions: ['source'], logLevel: 'silent' },
    banner: { js: "import { createRequire as __r } from 'node:module'; const require = __r(import.meta.url);" },
  });
});
const folder = useFolder('notes-');
beforeEach(async () => {
  home = join(folder, 'home');
  place = { chatId: 'chat_01ARZ3NDEKTSV4RRFFQ69G5FAV', workspaceRoot: folder };
});
async function writer(): Promise<Writer> {
  const one = await openWriter(home);
  onTestFinished(async () => void (await one.close()));
  return one;
}
const list = (): string => join(folder, '.agent_notes.json');
const journal = (): string => join(folder, '.agent_notes.jsonl');
const folding = (): string => join(folder, '.agent_notes.folding.jsonl');
const user = { kind: 'user', ref: 'test' } as const;
const keep = (one: Writer, key: string, value = `value of ${key}`) => one.store.remember(place, { type: 'fact', key, value, source: user });
const keysOf = async (one: Writer): Promise<string[]> => (await one.store.list(place, { limit: 500 })).notes.map(({ key }) => key).sort();

function start(...args: string[]) {
  const child = spawn(process.execPath, [join(built, 'writer.mjs'), home, folder, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const said: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => said.push(...text.split('\n').filter((line) => line !== '')));
  return { child, said, gone: once(child, 'close') as Promise<[number | null, string | null]> };
}

test('processes that write and fold the same file lose no notes', async () => {
  const children = ['a', 'b', 'c'].map((name, index) => start(name, '40', String(3 + index * 2)));
  const here = await writer();
  for (let at = 0; at < 20; at++) await keep(here, `here-${at}`);
  for (const { gone } of children) expect((await gone)[0]).toBe(0);
  const expected = [
    ...['a', 'b', 'c'].flatMap((name) => Array.from({ length: 40 }, (_, at) => `${name}-${at}`)),
    ...Array.from({ length: 20 }, (_, at) => `here-${at}`),
    'shared',
  ];
  expect(await keysOf(here)).toEqual(expected.sort());
  expect(await keysOf(await writer())).toEqual(expected);
  const revision = (await here.store.find(place, 'shared'))?.revision ?? 0;
  expect(revision).toBeGreaterThan(100);
  expect(revision).toBeLessThanOrEqual(120);
});

test('keeps all notes that a killed process had acknowledged', async () => {
  for (const [round, after] of [5, 17, 31].entries()) {
    const { child, said, gone } = start(`k${round}`, '500', '2');
    await expect.poll(() => said.length, { interval: 1 }).toBeGreaterThan(after);
    child.kill('SIGKILL');
    await gone;
    const keys = new Set(await keysOf(await writer()));
    expect(said.filter((key) => !keys.has(key))).toEqual([]);
  }
});

test('the next fold completes a fold that a crash interrupted', async () => {
  const one = await writer();
  await keep(one, 'a');
  await one.rest();
  await keep(one, 'b');
  await one.close();
  // State after a crash between moving the journal and writing the list, with a later change.
  await writeFile(list(), '{\n"fact:a":' + JSON.stringify(JSON.parse(await readFile(list(), 'utf8'))['fact:a']) + '\n}\n');
  const line = (key: string, revision = 1) =>
    JSON.stringify({
      id: `fact:${key}`,
      note: { value: `value of ${key}`, createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z', revision },
    });
  await writeFile(folding(), `\n${line('b')}\n\n${line('c')}\n`);
  await writeFile(journal(), `\n${line('d')}\n`);
  const next = await writer();
  expect(await keysOf(next)).toEqual(['a', 'b', 'c', 'd']);
  await keep(next, 'e');
  await next.rest();
  expect(Object.keys(JSON.parse(await readFile(list(), 'utf8'))).sort()).toEqual(['fact:a', 'fact:b', 'fact:c', 'fact:d', 'fact:e']);
  expect((await readdir(folder)).filter((name) => name.startsWith('.agent_notes'))).toEqual(['.agent_notes.json']);
});

test('skips a partial last line, and writes the next note on a new line', async () => {
  const one = await writer();
  await keep(one, 'a');
  await appendFile(journal(), '{"id":"fact:torn","note":{"val');
  await keep(one, 'b');
  expect(await keysOf(one)).toEqual(['a', 'b']);
  expect(await keysOf(await writer())).toEqual(['a', 'b']);
});

test('a deletion survives a fold and can be restored for 30 days', async () => {
  const one = await writer();
  await keep(one, 'a', 'apples');
  await keep(one, 'b', 'bananas');
  await one.store.forget(place, 'a');
  await one.rest();
  expect(JSON.parse(await readFile(list(), 'utf8'))['fact:a']).toMatchObject({ value: 'apples', deletedAt: expect.any(String), revision: 2 });
  const two = await writer();
  expect(await two.store.recall(place, 'apples')).toEqual([]);
  expect(await two.store.restore(place, { id: 'fact:a', scope: 'workspace' })).toMatchObject({ value: 'apples', revision: 3 });
  expect((await one.store.recall(place, 'apples'))[0]?.note.key).toBe('a');

  const map = JSON.parse(await readFile(list(), 'utf8'));
  map['fact:old'] = { ...map['fact:b'], deletedAt: '2020-01-01T00:00:00.000Z' };
  map['fact:month'] = { ...map['fact:b'], deletedAt: new Date(Date.now() - 40 * 86_400_000).toISOString() };
  await writeFile(list(), JSON.stringify(map));
  await expect(two.store.restore(place, { id: 'fact:month', scope: 'workspace' })).rejects.toMatchObject({ code: 'MEMORY_ERR_NOT_FOUND' });
  await keep(two, 'c');
  await two.rest();
  const folded = JSON.parse(await readFile(list(), 'utf8'));
  expect(folded['fact:month']).toMatchObject({ value: '', deletedAt: expect.any(String) });
  expect(folded['fact:old']).toBeUndefined();
});

test('reads notes written by hand, keeps other entries, and quarantines invalid JSON', async () => {
  await writeFile(list(), JSON.stringify({ 'fact:hand': { value: 'written by hand' }, 'fact:later': { value: 7 }, something: [1] }, null, 2));
  const one = await writer();
  expect(await one.store.find(place, 'hand')).toMatchObject({ value: 'written by hand', confidence: 1, revision: 1, isForeign: true });
  await keep(one, 'a');
  await one.rest();
  expect(JSON.parse(await readFile(list(), 'utf8'))).toMatchObject({ 'fact:later': { value: 7 }, something: [1], 'fact:a': { value: 'value of a' } });
  await writeFile(list(), '{"fact:hand": {"val');
  await keep(one, 'b');
  expect(await keysOf(one)).toEqual(['b']);
  expect((await readdir(folder)).some((name) => name.startsWith('.agent_notes.json.corrupt-'))).toBe(true);
});

test.each(['.agent_notes.json', '.agent_notes.jsonl', '.agent_notes.folding.jsonl'])('neither reads nor writes through a link named %s', async (name) => {
  const outside = join(folder, 'outside');
  await writeFile(outside, JSON.stringify({ 'fact:secret': { value: 'the secret of the other file' } }));
  await symlink(outside, join(folder, name));
  const one = await writer();
  expect(await one.store.recall(place, 'secret other file')).toEqual([]);
  expect((await one.store.list(place, {})).total).toBe(0);
  await expect(keep(one, 'a')).rejects.toMatchObject({ code: 'MEMORY_ERR_UNSAFE_FILE' });
  expect(await readFile(outside, 'utf8')).toContain('the secret of the other file');
  await one.store.remember(place, { type: 'fact', key: 'g', value: 'global things', scope: 'global', source: user });
  expect((await one.store.recall(place, 'global things'))[0]?.note.key).toBe('g');
});

test('marks notes that came with a folder as foreign until they are rewritten here', async () => {
  const first = await writer();
  await keep(first, 'ours', 'we build with make');
  await first.rest();
  const map = JSON.parse(await readFile(list(), 'utf8'));
  map['fact:theirs'] = { ...map['fact:ours'], value: 'they build with bazel' };
  await writeFile(list(), JSON.stringify(map));
  const one = await writer();
  const hits = await one.store.recall(place, 'build');
  expect(hits.map(({ note }) => [note.key, note.isForeign === true]).sort()).toEqual([
    ['ours', false],
    ['theirs', true],
  ]);
  await one.store.rewrite(place, { id: 'fact:theirs', scope: 'workspace' }, { value: 'they build with bazel', revision: 1, source: user });
  expect((await one.store.find(place, 'theirs'))?.isForeign).toBeUndefined();
});

test('keeps a list that another process wrote during a fold', async () => {
  const one = await writer();
  await keep(one, 'a');
  const other = join(folder, 'other.json');
  const resting = one.rest();
  await writeFile(other, JSON.stringify({ 'fact:z': { value: 'from elsewhere' } }));
  await rename(other, list());
  await resting;
  const keys = await keysOf(await writer());
  expect(keys).toContain('a');
  // Whether it was written before or during the fold.
  expect(keys).toContain('z');
  expect((await stat(list())).isFile()).toBe(true);
});
