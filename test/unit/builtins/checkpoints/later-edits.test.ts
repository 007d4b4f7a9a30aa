import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openUndoBench, type UndoBench } from './undo-bench.ts';

let bench: UndoBench;
const at = (): string => join(bench.workspace, 'a.txt');
const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
const text = (changed: Readonly<Record<number, string>>): string => lines.map((line, index) => `${changed[index + 1] ?? line}\n`).join('');

beforeEach(async () => {
  bench = await openUndoBench();
  await writeFile(at(), text({}));
  await bench.output('write_file', { path: 'a.txt', content: text({ 3: 'by the turn' }) }, { turnId: 'turn_1' });
});
afterEach(async () => {
  expect(await bench.close()).toEqual([]);
});

test('what a person changed elsewhere in the file stays', async () => {
  await writeFile(at(), text({ 3: 'by the turn', 17: 'by hand' }));
  expect(await bench.undo()).toMatchObject({ turnId: 'turn_1', restored: ['a.txt'], conflicts: [] });
  expect(await readFile(at(), 'utf8')).toBe(text({ 17: 'by hand' }));
  await expect(bench.undo('turn_1')).rejects.toMatchObject({ code: 'CHECKPOINTS_ERR_ALREADY_RESOLVED' });
});

test('the same lines changed by hand leave the file alone', async () => {
  await writeFile(at(), text({ 3: 'by hand' }));
  expect(await bench.undo()).toMatchObject({ turnId: 'turn_1', restored: [], conflicts: ['a.txt'] });
  expect(await readFile(at(), 'utf8')).toBe(text({ 3: 'by hand' }));
});
