// Tests an append-only log of JSON lines with buffered writes.
import { mkdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { openStorage } from './open-storage.ts';
import { useEach } from '../../../helpers/use-opened.ts';

let path: string;
let fullPath: string;
let faults: unknown[];
const opened = useEach(() => openStorage());
beforeEach(async () => {
  path = join(opened.folder, 'log.jsonl');
  fullPath = join(opened.folder, 'log.1.jsonl');
  faults = [];
});

const create = (maxBytes = 1_000) => opened.storage.createLineFile({ path, fullPath, maxBytes, onFault: (fault) => void faults.push(fault) });
const linesOf = async (file: string): Promise<unknown[]> => (await readFile(file, 'utf8')).split('\n').slice(0, -1).map((line) => JSON.parse(line)); // prettier-ignore

test('appends lines in order with owner-only permissions', async () => {
  const file = create();
  file.add({ n: 1 });
  file.add({ n: 2 });
  await Promise.all([file.flush(), file.flush()]);
  file.add({ n: 3 });
  await file.flush();
  expect(await linesOf(path)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('rotates a full file and drops the previous rotation', async () => {
  const file = create(100);
  for (let n = 0; n < 9; n++) {
    file.add({ n, text: 'x'.repeat(30) });
    await file.flush();
  }
  expect((await linesOf(path)).at(-1)).toMatchObject({ n: 8 });
  const kept = [...(await linesOf(fullPath)), ...(await linesOf(path))].map((line) => (line as { n: number }).n);
  expect(kept).toEqual([6, 7, 8]);
});

test('a partial line after a crash does not swallow the next line', async () => {
  await writeFile(path, '{"n":1}\n{"n":');
  const file = create();
  file.add({ n: 2 });
  await file.flush();
  expect((await readFile(path, 'utf8')).split('\n')).toEqual(['{"n":1}', '{"n":', '{"n":2}', '']);
});

test('reports a failed write and later writes the newest thousand lines', async () => {
  await mkdir(path);
  const file = create(1_000_000);
  for (let n = 0; n < 1_500; n++) file.add({ n });
  await file.flush();
  expect(faults).toHaveLength(1);
  await rmdir(path);
  await file.flush();
  const lines = await linesOf(path);
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([1_000, { n: 500 }, { n: 1_499 }]);
});
