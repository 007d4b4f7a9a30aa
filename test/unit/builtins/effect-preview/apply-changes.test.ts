import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createExactFiles } from '../../../../plugins/exact-files/exact-files.ts';
import { applyChanges, createApplyMark } from '../../../../builtins/turn/effect-preview/apply-changes.ts';
import { readChanges } from '../../../../builtins/turn/effect-preview/tree-changes.ts';
import { limits } from './stage-world.ts';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'apply-')));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('applies the internal files of git, but records none of them for an undo', async () => {
  const [base, upper, merged] = ['base', 'upper', 'merged'].map((name) => join(folder, name)) as [string, string, string];
  await Promise.all([base, upper, merged].map((one) => mkdir(one)));
  for (const path of ['a.txt', '.git/objects/ab/cd', '.git/refs/heads/main', 'sub/.git', 'sub/b.txt']) {
    await mkdir(dirname(join(upper, path)), { recursive: true });
    await writeFile(join(upper, path), 'new');
  }
  const recorded: string[] = [];
  const changes = await readChanges({ base, upper, merged } as never, limits);
  await applyChanges(changes, {
    ...{ from: upper, to: base, exactFiles: createExactFiles(), mark: createApplyMark() },
    record: (all) => Promise.resolve(void recorded.push(...all.map(({ path }) => path))),
  });
  expect(await readFile(join(base, '.git/objects/ab/cd'), 'utf8')).toBe('new');
  expect(recorded).toEqual([join(base, 'a.txt'), join(base, 'sub/b.txt')]);
});
