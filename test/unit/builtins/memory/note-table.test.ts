import { expect, test } from 'vitest';
import { NoteTable, type WatchedWrites } from '../../../../builtins/tools/memory/notes/note-table.ts';
import type { StoredNote } from '../../../../builtins/tools/memory/contract.ts';

const at = '2026-01-31T12:00:00.000Z';
const note = (value: string, revision: number, more: Partial<StoredNote> = {}): StoredNote => ({
  ...{ value, revision, createdAt: at, updatedAt: at, accessCount: 0, confidence: 1, links: [], source: { kind: 'user', ref: '' } },
  ...more,
});
const line = (id: string, value: string, revision: number): string => JSON.stringify({ id, note: note(value, revision) });
const noPause = (): Promise<void> => Promise.resolve();

function open(): { readonly table: NoteTable; readonly changes: string[] } {
  const changes: string[] = [];
  return { table: new NoteTable((id, changed) => changes.push(`${id}: ${changed?.value ?? 'deleted'}`)), changes };
}

test('the first line with a revision wins, and the writer of the second one is notified', () => {
  const { table, changes } = open();
  const watched: WatchedWrites = new Map([['fact:a', { id: 'fact:a', note: note('mine', 1) }]]);
  table.add([line('fact:a', 'theirs', 1), line('fact:a', 'mine', 1)], watched);
  expect(table.notes.get('fact:a')).toMatchObject({ value: 'theirs', serial: 1 });
  expect(watched.get('fact:a')?.isFirst).toBe(false);
  expect(changes).toEqual(['fact:a: theirs']);
});

test('a list and its lines replace all notes, and only differences are reported', async () => {
  const { table, changes } = open();
  table.add([line('fact:gone', 'x', 1), line('fact:same', 'y', 1)]);
  const entries: [string, unknown][] = [
    ['fact:same', note('y', 1, { serial: 7 })],
    ['not a note', 5],
  ];
  await table.load(entries, [line('fact:new', 'z', 1)], noPause);
  expect(changes.slice(2)).toEqual(['fact:gone: deleted', 'fact:new: z']);
  expect([...table.notes].map(([id, { serial }]) => [id, serial])).toEqual([
    ['fact:same', 7],
    ['fact:new', 8],
  ]);
  expect(table.entries(Date.parse(at)).map(([id]) => id)).toEqual(['not a note', 'fact:same', 'fact:new']);
});

test('the count of a note is the largest known one, and new uses are taken once', () => {
  const { table } = open();
  table.add([line('fact:a', 'x', 1), JSON.stringify({ counts: { 'fact:a': 4 } })]);
  table.count('fact:a', 2);
  expect(table.accessCount('fact:a')).toBe(5);
  expect(table.takeCounts()).toEqual([['fact:a', 5]]);
  expect(table.takeCounts()).toEqual([]);
});

test('the newest change stays in the folded file after its time, without its text', async () => {
  const { table } = open();
  const deleted = (serial: number): StoredNote => note('x', 1, { serial, deletedAt: '2020-01-01T00:00:00.000Z' });
  await table.load(
    [
      ['fact:old', deleted(1)],
      ['fact:newest', deleted(2)],
    ],
    [],
    noPause,
  );
  expect(table.entries(Date.parse(at))).toEqual([['fact:newest', { ...deleted(2), value: '' }]]);
});
