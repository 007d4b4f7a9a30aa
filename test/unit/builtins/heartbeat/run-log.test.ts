// Tests the run log in the workspace, whose file can contain anything.
import { mkdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createRunLog, logName } from '../../../../builtins/background/heartbeat/run-log.ts';
import { createExactFiles } from '../../../../plugins/exact-files/exact-files.ts';
import { useFolder } from '../../../helpers/use-opened.ts';

let warnings: string[];
const folder = useFolder('beat-log-');
beforeEach(async () => {
  warnings = [];
});

const log = () => createRunLog(createExactFiles(), (message) => warnings.push(message));
const text = () => readFile(join(folder, logName), 'utf8');

test('writes one line for each run, in order', async () => {
  const runs = log();
  await Promise.all(['a', 'b', 'a', 'c'].map((runId) => runs.add(folder, { runId })));
  expect(await text()).toBe('{"runId":"a"}\n{"runId":"b"}\n{"runId":"c"}\n');
  expect((await stat(join(folder, logName))).mode & 0o777).toBe(0o600);
});

test('limits its size by removing whole oldest lines', async () => {
  const line = (at: number): string => `${JSON.stringify({ runId: `old ${at}`, text: 'é'.repeat(500) })}\n`;
  await writeFile(join(folder, logName), Array.from({ length: 1_000 }, (_, at) => line(at)).join(''));
  await log().add(folder, { runId: 'new' });
  const rows = (await text())
    .trimEnd()
    .split('\n')
    .map((row) => JSON.parse(row));
  expect(rows.at(-1)).toEqual({ runId: 'new' });
  expect(rows.at(-2).runId).toBe('old 999');
  expect((await stat(join(folder, logName))).size).toBeLessThanOrEqual(256 * 1024);
});

test('keeps a truncated line and starts a new one', async () => {
  await writeFile(join(folder, logName), '{"runId":"a"}\n{"runI');
  await log().add(folder, { runId: 'b' });
  expect(await text()).toBe('{"runId":"a"}\n{"runI\n{"runId":"b"}\n');
});

test('writes nothing through a link and warns once', async () => {
  const elsewhere = join(folder, 'precious.txt');
  await writeFile(elsewhere, 'mine');
  await symlink(elsewhere, join(folder, logName));
  const runs = log();
  for (const runId of ['a', 'b']) await runs.add(folder, { runId });
  expect(await readFile(elsewhere, 'utf8')).toBe('mine');
  expect(await readlink(join(folder, logName))).toBe(elsewhere);
  expect(warnings).toEqual([expect.stringContaining('only counted')]);
});

test('warns once for each workspace that cannot be written', async () => {
  await mkdir(join(folder, logName));
  const runs = log();
  for (const runId of ['a', 'b']) await runs.add(folder, { runId });
  await runs.add(join(folder, 'gone'), { runId: 'c' });
  expect(warnings.length).toBe(2);
});
