// Tests note synchronization between homes over real files: changes, deletions, restarts and concurrent edits.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { IncomingNote, NoteSet, TravellingNote } from 'agent-harness/builtins/tools/memory';
import { openWriter, type Writer } from './note-writer.ts';
import { useFolder } from '../../../helpers/use-opened.ts';

const open: Writer[] = [];
const folder = useFolder('merging-');
afterEach(async () => {
  for (const writer of open.splice(0)) await writer.close();
});

const set: NoteSet = { scope: 'global' };
const place = { chatId: 'chat_01ARZ3NDEKTSV4RRFFQ69G5FAV', workspaceRoot: '/nowhere' };
const user = { kind: 'user', ref: 'test' } as const;
const later = (ms: number): string => new Date(Date.now() + ms).toISOString();
const remote = (key: string, value: string, updatedAt = later(0), more: object = {}): IncomingNote => ({
  id: `fact:${key}`,
  value,
  updatedAt,
  source: user,
  ...more,
});
async function writer(name: string): Promise<Writer> {
  const one = await openWriter(join(folder, name));
  open.push(one);
  return one;
}
const keep = ({ store }: Writer, key: string, value = `of ${key}`) => store.remember(place, { type: 'fact', key, value, scope: 'global', source: user });
const forget = ({ store }: Writer, key: string) => store.forget(place, `fact:${key}`, 'global');
const changed = async ({ store }: Writer, since?: string) => (await store.changes(set, since)).notes.map(({ id, deletedAt }) => (deletedAt ? `-${id}` : id));
const valueOf = async ({ store }: Writer, key: string) => (await store.find({ ...place }, `fact:${key}`))?.value;

test('returns each change once, oldest first, with deletions, across folds, restarts and processes', async () => {
  const here = await writer('home');
  for (const key of ['a', 'b', 'c']) await keep(here, key);
  const first = await here.store.changes(set);
  expect([first.isReset, first.notes.map(({ id }) => id)]).toEqual([true, ['fact:a', 'fact:b', 'fact:c']]);
  expect(await changed(here, first.cursor)).toEqual([]);
  await keep(here, 'a', 'anew');
  await forget(here, 'b');
  await here.rest();
  expect(await changed(here, first.cursor)).toEqual(['fact:a', '-fact:b']);
  const other = await writer('home');
  await Promise.all([keep(here, 'd'), keep(other, 'e'), keep(here, 'f'), keep(other, 'g')]);
  const seen = await changed(here, first.cursor);
  expect([...seen].sort()).toEqual(['-fact:b', 'fact:a', 'fact:d', 'fact:e', 'fact:f', 'fact:g']);
  expect(await changed(other, first.cursor)).toEqual(seen);
  for (const one of open.splice(0)) await one.close();
  const next = await writer('home');
  expect(await changed(next, first.cursor)).toEqual(seen);
  expect((await next.store.changes(set, first.cursor)).isReset).toBe(false);
});

test('a reader misses no change while two processes write', async () => {
  const [one, two] = [await writer('home'), await writer('home')];
  let cursor: string | undefined;
  const seen = new Set<string>();
  const reading = (async () => {
    for (let at = 0; at < 60; at++) {
      const answer = await one.store.changes(set, cursor);
      ({ cursor } = answer);
      for (const { id } of answer.notes) seen.add(id);
      await new Promise(setImmediate);
    }
  })();
  await Promise.all(Array.from({ length: 30 }, (_, at) => Promise.all([keep(one, `one-${at}`), keep(two, `two-${at}`)])));
  await reading;
  for (const { id } of (await two.store.changes(set, cursor)).notes) seen.add(id);
  expect(seen.size).toBe(60);
});

test.each([
  ['no cursor', undefined],
  ['an invalid cursor', 'x'],
  ['a cursor beyond the end of the file', `99@${Date.now()}`],
  ['a cursor older than the tombstones', `1@${Date.now() - 366 * 86_400_000}`],
])('with %s, returns all notes and reports a reset', async (_, since) => {
  const here = await writer('home');
  await keep(here, 'a');
  await keep(here, 'b');
  expect(await here.store.changes(set, since)).toMatchObject({ isReset: true, notes: [{ id: 'fact:a' }, { id: 'fact:b' }] });
});

test('a note written into the file by hand counts as a change', async () => {
  const here = await writer('home');
  await keep(here, 'a');
  await here.rest();
  const path = join(folder, 'home', '.agent_notes.json');
  const { cursor } = await here.store.changes(set);
  const list = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, JSON.stringify({ ...list, 'fact:hand': { value: 'by hand' } }));
  expect(await changed(here, cursor)).toEqual(['fact:hand']);
});

test('resolves conflicts by time, then deletion, then greater text, and ignores a repeated merge', async () => {
  const here = await writer('home');
  await keep(here, 'x', 'here');
  const { updatedAt } = (await here.store.changes(set)).notes[0] as TravellingNote;
  const merge = async (note: TravellingNote) => (await here.store.merge(set, [note]))[0]?.outcome;
  expect(await merge(remote('x', 'older', '2020-01-01T00:00:00.000Z'))).toBe('kept');
  expect(await merge(remote('x', 'abc', updatedAt))).toBe('kept');
  expect(await merge(remote('x', 'more', updatedAt))).toBe('taken');
  expect(await merge(remote('x', 'more', updatedAt))).toBe('same');
  expect(await merge(remote('x', '', updatedAt, { deletedAt: updatedAt }))).toBe('taken');
  expect(await merge(remote('x', 'zzz', updatedAt))).toBe('kept');
  expect(await valueOf(here, 'x')).toBeUndefined();
  expect(await merge(remote('x', 'again', later(5_000)))).toBe('taken');
  // A local change is later than any known remote time.
  await keep(here, 'x', 'mine');
  expect(Date.parse(((await here.store.changes(set)).notes.at(-1) as TravellingNote).updatedAt)).toBeGreaterThan(Date.now() + 4_000);
  expect(await merge(remote('gone', '', later(0), { deletedAt: later(0) }))).toBe('taken');
  expect(await changed(here)).toContain('-fact:gone');
});

test('returns the losing version of two concurrent changes, local or remote', async () => {
  const here = await writer('home');
  const { cursor } = await here.store.changes(set);
  await keep(here, 'x', 'mine');
  const [taken] = await here.store.merge(set, [remote('x', 'theirs', later(60_000))], cursor);
  expect(taken).toMatchObject({ outcome: 'taken', lost: { value: 'mine' } });
  const known = await here.store.changes(set);
  await keep(here, 'y', 'mine');
  expect(await here.store.merge(set, [remote('y', 'theirs', '2020-01-01T00:00:00.000Z')], known.cursor)).toMatchObject([
    { outcome: 'kept', lost: { value: 'theirs' } },
  ]);
  const now = await here.store.changes(set);
  expect(await here.store.merge(set, [remote('y', 'next', later(90_000))], now.cursor)).toEqual([{ id: 'fact:y', outcome: 'taken' }]);
});

test('refuses invalid notes and merges the others', async () => {
  const here = await writer('home');
  const notes = [remote('a', ' '), remote('b', 'x'.repeat(20_001)), remote('c', 'x', 'yesterday'), { ...remote('d', 'x'), id: 'no id' }, remote('e', 'fine')];
  expect((await here.store.merge(set, notes)).map(({ outcome }) => outcome)).toEqual(['refused', 'refused', 'refused', 'refused', 'taken']);
});

test.each<[string, any]>([
  ['notes of a chat', { scope: 'chat' }],
  ['a workspace without an absolute path', { scope: 'workspace', workspaceRoot: 'work' }],
])('%s cannot be synchronized', async (_, wrong) => {
  const { store } = await writer('home');
  await expect(store.changes(wrong)).rejects.toMatchObject({ code: 'MEMORY_ERR_INVALID_NOTE' });
  await expect(store.merge(wrong, [remote('a', 'x')])).rejects.toMatchObject({ code: 'MEMORY_ERR_INVALID_NOTE' });
});

test('does not synchronize pending notes and notes that came with a folder, and merged notes count as own', async () => {
  const here = await writer('home');
  const root = join(folder, 'work');
  const work: NoteSet = { scope: 'workspace', workspaceRoot: root };
  await here.store.remember({ ...place, workspaceRoot: root }, { type: 'fact', key: 'own', value: 'own', source: user });
  await here.store.remember({ ...place, workspaceRoot: root }, { type: 'fact', key: 'waits', value: 'web', source: { kind: 'web', ref: 'a page' } });
  await here.rest();
  const path = join(root, '.agent_notes.json');
  await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, 'utf8')), 'fact:foreign': { value: 'theirs', updatedAt: later(60_000) } }));
  expect((await here.store.changes(work)).notes.map(({ id }) => id)).toEqual(['fact:own']);
  expect(await here.store.merge(work, [remote('foreign', 'mine'), remote('new', 'mine')])).toMatchObject([{ outcome: 'taken' }, { outcome: 'taken' }]);
  expect((await here.store.list({ ...place, workspaceRoot: root }, { scope: 'workspace' })).notes.some(({ isForeign }) => isForeign)).toBe(false);
});

test('an update of exactly the current version wins whatever the times are', async () => {
  const here = await writer('home');
  await keep(here, 'x', 'mine');
  const [{ updatedAt } = remote('x', '')] = (await here.store.changes(set)).notes;
  const older = remote('x', 'theirs', '2020-01-01T00:00:00.000Z', { over: { updatedAt } });
  expect(await here.store.merge(set, [{ ...older, over: { updatedAt: later(1) } }])).toMatchObject([{ outcome: 'kept' }]);
  expect(await here.store.merge(set, [older])).toEqual([{ id: 'fact:x', outcome: 'taken' }]);
  expect(await here.store.merge(set, [older])).toEqual([{ id: 'fact:x', outcome: 'same' }]);
  expect(await valueOf(here, 'x')).toBe('theirs');
});

test('marks team notes of a workspace as foreign and does not pass them on, except for a local deletion', async () => {
  const here = await writer('home');
  const root = join(folder, 'work');
  const work: NoteSet = { scope: 'workspace', workspaceRoot: root };
  const there = { ...place, workspaceRoot: root };
  const theirs = remote('build', 'run make', later(0), { source: { kind: 'team', ref: 'bob@example.org' }, isForeign: true });
  expect(await here.store.merge(work, [theirs])).toEqual([{ id: 'fact:build', outcome: 'taken' }]);
  expect(await here.store.merge(work, [theirs])).toEqual([{ id: 'fact:build', outcome: 'same' }]);
  const [hit] = await here.store.recall(there, 'run make');
  expect(hit?.note).toMatchObject({ value: 'run make', isForeign: true, source: { kind: 'team', ref: 'bob@example.org' } });
  expect((await here.store.changes(work)).notes).toEqual([]);
  await here.store.forget(there, 'fact:build');
  expect((await here.store.changes(work)).notes).toMatchObject([{ id: 'fact:build', deletedAt: expect.any(String) }]);
  const again = { ...theirs, value: 'run ninja', updatedAt: later(5_000) };
  expect(await here.store.merge(work, [again])).toMatchObject([{ outcome: 'taken' }]);
  expect((await here.store.changes(work)).notes).toEqual([]);
});

test('merges 1,200 notes, each once, while another process writes', async () => {
  const [one, two] = [await writer('home'), await writer('home')];
  const many = Array.from({ length: 1_200 }, (_, at) => remote(`n${at}`, `value ${at}`));
  const began = performance.now();
  const [merged] = await Promise.all([one.store.merge(set, [...many, remote('n0', 'newer', later(9_000))]), keep(two, 'own'), keep(two, 'n5', 'mine')]);
  // For comparison: about 2 ms per note if each one is flushed by itself.
  process.stdout.write(`1,201 notes merged in ${Math.round(performance.now() - began)} ms\n`);
  expect(merged.length).toBe(1_201);
  expect(await valueOf(two, 'n0')).toBe('newer');
  expect((await two.store.changes(set)).notes.length).toBe(1_201);
  expect(await valueOf(one, 'n5')).toBe(await valueOf(two, 'n5'));
});

test.each([1, 2, 3])('random changes, deletions, restores, restarts and merges converge in all homes (%i)', async (seed) => {
  let state = seed * 7919;
  const random = (below: number): number => Math.floor(((state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31) * below);
  const names = ['a', 'b', 'c'];
  const homes = new Map<string, Writer>();
  for (const name of names) homes.set(name, await writer(name));
  const cursors = new Map<string, string>();
  const home = (name: string): Writer => homes.get(name) as Writer;
  const pull = async (to: string, from: string): Promise<number> => {
    const answer = await home(from).store.changes(set, cursors.get(`${from}>${to}`));
    const merged = await home(to).store.merge(set, answer.notes);
    // Otherwise the reader has crashed and reads the same changes again.
    if (random(5) > 0) cursors.set(`${from}>${to}`, answer.cursor);
    return merged.filter(({ outcome }) => outcome === 'taken').length;
  };
  for (let step = 0; step < 120; step++) {
    const name = names[random(3)] as string;
    const key = `k${random(8)}`;
    const what = random(10);
    if (what < 4) await keep(home(name), key, `${name} ${step}`);
    else if (what < 6) await forget(home(name), key);
    else if (what < 7)
      await home(name)
        .store.restore(place, { id: `fact:${key}`, scope: 'global' })
        .catch(() => undefined);
    else if (what < 8) await home(name).rest();
    else if (what < 9) await pull(name, names[random(3)] as string);
    else homes.set(name, await writer(name));
  }
  for (let taken = 1; taken > 0;) {
    taken = 0;
    for (const to of names) for (const from of names) if (to !== from) taken += await pull(to, from);
  }
  const stateOf = async (name: string) =>
    (await home(name).store.changes(set)).notes
      .map(({ id, value, updatedAt, deletedAt }) => [id, deletedAt === undefined ? value : 'gone', updatedAt, deletedAt ?? ''].join(' '))
      .sort();
  const first = await stateOf('a');
  expect(first.length).toBeGreaterThan(4);
  expect([await stateOf('b'), await stateOf('c')]).toEqual([first, first]);
});
