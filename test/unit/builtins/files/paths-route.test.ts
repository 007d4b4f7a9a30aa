import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { startHarness, useEach, useFolder } from '../../../helpers/in-process.ts';

const workspace = useFolder('paths-work-');
const harness = useEach(() => startHarness({ builtins: ['files'], workspace }));

async function put(...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(workspace, path)), { recursive: true });
    await writeFile(join(workspace, path), path === '.gitignore' ? 'out/\n' : '');
  }
}
const paths = async (query: string): Promise<string[]> => (await harness.call('GET', `/api/workspace/paths?${query}`)).body.paths;

test('ranks paths by match in the name, in the folder, then by letters in order', async () => {
  await put('src/price.ts', 'src/old-price.ts', 'price/list.ts', 'src/pure-rice.ts', 'README.md');
  expect(await paths('query=Price')).toEqual(['price/', 'src/price.ts', 'src/old-price.ts', 'price/list.ts', 'src/pure-rice.ts']);
  expect(await paths('query=src/p')).toEqual(['src/price.ts', 'src/pure-rice.ts', 'src/old-price.ts']);
  expect(await paths('limit=3')).toEqual(['src/', 'price/', 'README.md']);
  expect(await paths('query=none-of-these')).toEqual([]);
});

test('omits ignored files, links and the repository folder', async () => {
  await put('.gitignore', 'out/a.js', '.git/HEAD', 'a.ts');
  await symlink('/etc', join(workspace, 'link'));
  expect(await paths('')).toEqual(['a.ts', '.gitignore']);
});

test('returns 404 for an unknown chat', async () => {
  expect(await harness.call('GET', '/api/workspace/paths?chatId=chat_none')).toMatchObject({ status: 404 });
});
