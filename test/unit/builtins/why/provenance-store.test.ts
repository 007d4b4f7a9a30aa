import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createProvenanceStore, type ProvenanceStore } from '../../../../builtins/turn/why/provenance-store.ts';
import { useFolder } from '../../../helpers/use-opened.ts';
import { openStorage } from '../../plugins/storage/open-storage.ts';

const home = useFolder('provenance-');
let open: () => ProvenanceStore;
beforeEach(async () => {
  const opened = await openStorage();
  const { storage, journals } = opened;
  onTestFinished(async () => void (await opened.close()));
  open = () =>
    createProvenanceStore({ chats: { folder: (chatId) => join(home, chatId) }, storage, journals, onFault: (fault) => expect(fault).toBeUndefined() });
  await mkdir(join(home, 'chat'));
});

const file = (name = 'provenance.jsonl'): Promise<string> => readFile(join(home, 'chat', name), 'utf8');
const piece = (text: string) => ({ section: 'system', text }) as never;
const textsOf = async (store: ProvenanceStore): Promise<unknown> =>
  [...(await store.read('chat'))].map(([turnId, { pieces }]) => [turnId, pieces.map(({ text }) => text)]);

test('writes one line per turn and stores shared text once, also across processes', async () => {
  await open().write('chat', 'turn_1', { steps: [], pieces: [piece('the same'), piece('first')] });
  const later = open();
  await later.write('chat', 'turn_2', { steps: [], pieces: [piece('the same'), piece('second')] });
  expect((await file()).split('the same')).toHaveLength(2);
  expect((await file()).trim().split('\n')).toHaveLength(2);
  expect(await textsOf(open())).toEqual([
    ['turn_1', ['the same', 'first']],
    ['turn_2', ['the same', 'second']],
  ]);
});

test('reads the file of an earlier version and migrates it with the next turn', async () => {
  const former = { version: 1, texts: { a: 'from before' }, turns: [{ turnId: 'turn_0', steps: [], pieces: [{ section: 'system', of: 'a' }] }] };
  await writeFile(join(home, 'chat', 'makings.json'), JSON.stringify(former));
  expect(await textsOf(open())).toEqual([['turn_0', ['from before']]]);
  await open().write('chat', 'turn_1', { steps: [], pieces: [piece('now')] });
  expect(await textsOf(open())).toEqual([
    ['turn_0', ['from before']],
    ['turn_1', ['now']],
  ]);
  await expect(file('makings.json')).rejects.toThrow('ENOENT');
});

test('stores the id of a note but not its text, and removes note text from an earlier file on read', async () => {
  const text = 'Notes:\n- [fact:boat] Albatross.\n- and more';
  const from = [{ kind: 'note' as const, ref: 'fact:boat', start: 7, end: 31 }];
  await open().write('chat', 'turn_1', { steps: [], pieces: [{ ...(piece(text) as object), from } as never] });
  expect(await file()).not.toContain('Albatross');
  expect(await textsOf(open())).toEqual([['turn_1', ['Notes:\n[fact:boat]\n- and more']]]);

  await mkdir(join(home, 'old'));
  const pieces = [{ section: 'system', of: 'a', from: [{ kind: 'note', ref: 'fact:boat' }] }];
  await writeFile(join(home, 'old', 'makings.json'), JSON.stringify({ version: 1, texts: { a: text }, turns: [{ turnId: 'turn_0', steps: [], pieces }] }));
  expect((await open().read('old')).get('turn_0')?.pieces).toMatchObject([{ text: '[fact:boat]' }]);
  const left = await readdir(join(home, 'old'));
  expect(left).toEqual(['provenance.jsonl']);
  expect(await readFile(join(home, 'old', 'provenance.jsonl'), 'utf8')).not.toContain('Albatross');
});

test('keeps the newest hundred turns and limits the file size', async () => {
  const store = open();
  for (let turn = 0; turn < 450; turn++) await store.write('chat', `turn_${turn}`, { steps: [], pieces: [piece('system'), piece(`text ${turn}`)] });
  const storedTurns = [...(await store.read('chat')).keys()];
  expect(storedTurns).toHaveLength(100);
  expect(storedTurns.at(-1)).toBe('turn_449');
  expect((await file()).trim().split('\n').length).toBeLessThanOrEqual(200);
  expect(await textsOf(store)).toContainEqual(['turn_449', ['system', 'text 449']]);
});

test('recovers from a torn last line and ignores a missing chat', async () => {
  await open().write('chat', 'turn_1', { steps: [], pieces: [piece('whole')] });
  await writeFile(join(home, 'chat', 'provenance.jsonl'), `${await file()}{"version":1,"turns":[{"tur`);
  await open().write('chat', 'turn_2', { steps: [], pieces: [piece('whole'), piece('more')] });
  expect(await textsOf(open())).toEqual([
    ['turn_1', ['whole']],
    ['turn_2', ['whole', 'more']],
  ]);
  await open().write('gone', 'turn_1', { steps: [], pieces: [piece('x')] });
  expect([...(await open().read('gone'))]).toEqual([]);
});
