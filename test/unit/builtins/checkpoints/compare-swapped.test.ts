// Tests that the workspace comparison stores no content of a link target when a folder is replaced by a link.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { useFolder } from '../../../helpers/use-opened.ts';
import { createWorkspaceComparer } from '../../../../builtins/turn/checkpoints/compare-workspace.ts';
import { createExactFiles, locationMethod } from '../../../../plugins/exact-files/exact-files.ts';

const place = useFolder('compare-swapped-');
const at = (path: string): string => join(place, path);

beforeEach(async () => {
  for (const folder of ['work/folder', 'outside']) await mkdir(at(folder), { recursive: true });
  await writeFile(at('work/folder/a.txt'), 'mine\n');
  await writeFile(at('outside/a.txt'), 'the secret of another person\n');
});

test.each([
  ['the copies are created', 0],
  ['the workspace is compared', 1],
])('stores no content of the link target when the folder is replaced while %s', async (_, reads) => {
  const real = createExactFiles(locationMethod());
  let left = reads;
  const open: typeof real.open = (...args) => {
    if (left-- === 0) {
      renameSync(at('work/folder'), at('work/aside'));
      symlinkSync(at('outside'), at('work/folder'));
    }
    return real.open(...args);
  };
  const comparer = createWorkspaceComparer(at('copies'), { open, close: real.close });
  const compare = await comparer.begin(at('work'));
  await writeFile(at('work/folder/a.txt'), reads === 0 ? 'the secret of another person\n' : 'mine, changed\n');
  const { changes } = await compare();
  const copies = await Promise.all((await readdir(at('copies'), { recursive: true, withFileTypes: true })).map((one) => (one.isFile() ? readFile(join(one.parentPath, one.name), 'utf8') : ''))); // prettier-ignore
  expect(JSON.stringify([changes.map(({ before, after }) => [String(before), String(after)]), copies])).not.toContain('secret');
});
