import { appendFile, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createNoteIndex } from '../../../../builtins/tools/memory/search/note-index.ts';
import { scanNotes } from '../../../../builtins/tools/memory/notes/note-scan.ts';
import { rankByWords } from '../../../../builtins/tools/memory/search/ranking.ts';
import { inSoak } from '../../../helpers/dice.ts';
import { openWriter, type Writer } from './note-writer.ts';
import { useFolder } from '../../../helpers/use-opened.ts';

const count = inSoak(100_000, 25_000);
const at = (day: number): string => new Date(Date.UTC(2026, 0, 1 + day)).toISOString();
const source = { kind: 'user', ref: 'test' } as const;
const common = ['release', 'meeting', 'server', 'account', 'garden', 'invoice', 'travel', 'printer'];

let place: { chatId: string; workspaceRoot: string };
const folder = useFolder('notes-many-');
beforeEach(async () => {
  place = { chatId: 'chat_01ARZ3NDEKTSV4RRFFQ69G5FAV', workspaceRoot: folder };
});
async function writer(): Promise<Writer> {
  const one = await openWriter(join(folder, 'home'));
  onTestFinished(async () => void (await one.close()));
  return one;
}
const note = (value: string, rest: object = {}): object => ({
  ...{ value, createdAt: at(0), updatedAt: at(0), accessCount: 3, confidence: 1, links: [], source, revision: 1 },
  ...rest,
});
/** Prints notes as the memory does: one per line. */
const printed = (notes: Readonly<Record<string, object>>): string =>
  `{\n${Object.entries(notes)
    .map(([id, one]) => `${JSON.stringify(id)}:${JSON.stringify(one)}`)
    .join(',\n')}\n}\n`;
function manyNotes(): Record<string, object> {
  const notes: Record<string, object> = {};
  for (let index = 0; index < count; index++) {
    const words = [common[index % 8], common[(index * 5 + 3) % 8], `word${index % 977}`, `rare${Math.floor(index / 4)}`].join(' ');
    notes[`fact:note-${index}`] = note(`About the ${words}${' and more'.repeat(index % 5)}.`, { updatedAt: at(index % 200) });
  }
  return notes;
}
const special: Record<string, object> = {
  'fact:plain': note('The zeppelin lands on Tuesdays.'),
  'recipe:zeppelin': note('Fill it,\nthen "release" the ropes.', { confidence: 0.6 }),
  'fact:Zürich-office': note('Der Schlüssel der Zeppelinhalle: Fächer drei. 飛行船 camelCaseZeppelin'),
  'fact:control': note('zeppelin \u0001 with a control character'),
  'fact:gone': note('zeppelin of old', { deletedAt: at(1) }),
  'fact:waits': note('zeppelin from a page', { isPending: true }),
  'fact:rewritten': note('a zeppelin once'),
  'fact:removed': note('another zeppelin'),
  'fact:ahead': note('zeppelin that was merged in', { revision: 5 }),
  'fact:buried': note('zeppelin that was merged out', { revision: 5, deletedAt: at(2) }),
};
const line = (id: string, one: object): string => `\n${JSON.stringify({ id, note: one })}\n`;

test('the first recall over very many notes resolves before the index is built, with the same results', async () => {
  await writeFile(join(folder, '.agent_notes.json'), printed({ ...manyNotes(), ...special }));
  await appendFile(
    join(folder, '.agent_notes.jsonl'),
    [
      line('fact:rewritten', note('balloons instead', { revision: 2 })),
      line('fact:removed', note('another zeppelin', { revision: 2, deletedAt: at(3) })),
      line('fact:ahead', note('an older text about a zeppelin mast', { revision: 2 })),
      line('fact:buried', note('zeppelin mast', { revision: 2 })),
      line('fact:fresh', note('zeppelin number nine')),
    ].join(''),
  );
  const queries = ['When does the zeppelin land?', 'schlussel fach', '飛行船', 'rare17 rare18 word5', 'release ropes', 'rare24000 garden meeting', 'balloons'];
  const one = await writer();
  const done: string[] = [];
  const first = await one.store.recall(place, queries[0] ?? '', { isCounted: false });
  done.push('recall');
  // A call that needs the whole file resolves later, although it started with the scans.
  const [indexed] = [await Promise.all([one.store.list(place, { q: 'zeppelin', limit: 1 }).then(() => done.push('index')), ...scans(one)])];
  expect(done).toEqual(['recall', ...Array.from({ length: queries.length }, () => 'scan'), 'index']);
  expect(indexed).toHaveLength(queries.length + 1);
  const keys = first.map(({ note: { id } }) => id);
  expect(new Set(keys)).toEqual(new Set(['fact:plain', 'recipe:zeppelin', 'fact:Zürich-office', 'fact:control', 'fact:ahead', 'fact:fresh']));
  expect(first.every(({ note: { isForeign } }) => isForeign)).toBe(true);
  expect(first.find(({ note: { id } }) => id === 'fact:ahead')?.note).toMatchObject({ value: 'zeppelin that was merged in', accessCount: 3 });
  for (const [place_, query] of queries.entries()) {
    const later = await one.store.recall(place, query, { isCounted: false });
    expect(later.length).toBeGreaterThan(0);
    expect([query, shown(scanned[place_] ?? [])]).toEqual([query, shown(later)]);
  }

  function scans(from: Writer): Promise<unknown>[] {
    return queries.map(async (query, index) => {
      scanned[index] = await from.store.recall(place, query, { isCounted: false });
      done.push('scan');
    });
  }
}, 60_000);
const scanned: { readonly note: { readonly id: string; readonly value: string }; readonly score: number }[][] = [];
const shown = (hits: (typeof scanned)[number]) => hits.map(({ note: { id, value }, score }) => `${(100 - score).toFixed(3)} ${id} ${value}`).sort();

test('scans a file that another program replaced, and continues the use counts', async () => {
  const path = join(folder, '.agent_notes.json');
  await writeFile(path, printed({ ...manyNotes(), ...special }));
  const one = await writer();
  expect((await one.store.recall(place, 'zeppelin Tuesdays'))[0]?.note).toMatchObject({ key: 'plain', accessCount: 4 });
  expect((await one.store.find(place, 'plain'))?.accessCount).toBe(5);
  // Replaced atomically: a partial file is invalid.
  await writeFile(`${path}.new`, (await readFile(path, 'utf8')).replace('lands on Tuesdays', 'lands on Wednesdays'));
  await rename(`${path}.new`, path);
  const [hit] = await one.store.recall(place, 'zeppelin Wednesdays');
  expect(hit?.note).toMatchObject({ key: 'plain', value: 'The zeppelin lands on Wednesdays.' });
}, 60_000);

test('a scan ranks like the index of the same notes, and rejects another file layout', async () => {
  const notes = { ...special, 'fact:other': { updatedAt: at(4), value: 'zeppelins, their order is another' } };
  const found = await scanNotes(Buffer.from(printed(notes)), new Map(), ['zeppelin ropes']);
  const index = createNoteIndex();
  for (const [id, one] of Object.entries(notes)) index.set(id, { ...(note('') as any), ...one });
  const rank = (from: typeof index) => rankByWords('zeppelin ropes', [{ index: from, find: (id) => ({ item: id, confidence: 1 }) }], 20, Date.UTC(2026, 2));
  expect(found && rank(found.index as typeof index)).toEqual(rank(index));
  expect(found?.index.words).toEqual(index.words);
  expect(found?.read('fact:other')?.value).toContain('zeppelins');
  expect(await scanNotes(Buffer.from(JSON.stringify(notes, null, 2)), new Map(), ['zeppelin'])).toBeUndefined();
  expect(await scanNotes(Buffer.from(JSON.stringify(notes)), new Map(), ['zeppelin'])).toBeUndefined();
});
