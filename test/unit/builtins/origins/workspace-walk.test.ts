// Tests the workspace walk: it finds files by name, reports its limit, and rescans a large workspace only after a pause.
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorkspaceWalk } from '../../../../builtins/turn/origins/workspace-walk.ts';
import { useFolder } from '../../../helpers/use-opened.ts';

const root = useFolder('harness-walk-');

const isWanted = (path: string): boolean => /(?:^|\/)x$/.test(path);
async function put(...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), '');
  }
}
/** Sets folder times to one minute ago, because file systems do not distinguish changes within the same tick. */
const age = async (path: string): Promise<void> => utimes(join(root, path), new Date(), new Date(Date.now() - 60_000));

test('detects added, removed and renamed files on each call', async () => {
  const walk = createWorkspaceWalk(isWanted);
  await put('x', 'a/x', 'a/y', '.b/c/x', 'node_modules/x', 'a/.git/x');
  for (const folder of ['', 'a', '.b', '.b/c']) await age(folder);
  const sorted = async (): Promise<string[]> => (await walk.find(root)).paths.toSorted();
  expect(await sorted()).toEqual(['.b/c/x', 'a/x', 'x']);
  await put('a/d/e/x');
  await rm(join(root, 'x'));
  expect(await sorted()).toEqual(['.b/c/x', 'a/d/e/x', 'a/x']);
  await rm(join(root, '.b'), { recursive: true });
  expect(await sorted()).toEqual(['a/d/e/x', 'a/x']);
});

test('returns no files for a missing folder', async () => {
  expect(await createWorkspaceWalk(isWanted).find(join(root, 'gone'))).toEqual({ paths: [] });
});

test('reports when the folder limit is exceeded and finds the nearest files first', async () => {
  await put('x', ...Array.from({ length: 200 }, (_, at) => `f${at}/x`), 'a/b/c/d/x');
  const { paths, limit } = await createWorkspaceWalk(isWanted, { mostFolders: 100 }).find(root);
  expect(limit).toBe('has more than 100 folders');
  expect(paths).toContain('x');
  expect((await createWorkspaceWalk(isWanted, { mostFolders: 300 }).find(root)).limit).toBeUndefined();
});

test('rescans a large workspace after a pause and a small one immediately', async () => {
  let time = 0;
  const large = createWorkspaceWalk(isWanted, { smallFolders: 3, now: () => time });
  const small = createWorkspaceWalk(isWanted, { smallFolders: 30, now: () => time });
  await put('a/x', 'b/y', 'c/y', 'd/y');
  const count = async (): Promise<readonly number[]> => Promise.all([large, small].map(async (walk) => (await walk.find(root)).paths.length));
  expect(await count()).toEqual([1, 1]);
  await put('b/x');
  time = 29_999;
  expect(await count()).toEqual([1, 2]);
  time = 30_001;
  expect(await count()).toEqual([2, 2]);
});
