// Tests the home folder of the program: nothing is written to the current folder, whatever HOME is.
import { readdir, writeFile } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { homeOf, keepCompiledCode } from '../../../../builtins/distribution/compile-cache.ts';
import { openDistribution } from '../../../../builtins/distribution/open.ts';
import { useFolder } from '../../../helpers/use-opened.ts';

const own = process.env['HOME'];
const startFolder = process.cwd();
const folder = useFolder('home-');
beforeEach(() => process.chdir(folder));
afterEach(() => {
  process.chdir(startFolder);
  if (own === undefined) delete process.env['HOME'];
  else process.env['HOME'] = own;
});

test.each(['', ' ', '.', 'relative', './x', '~', undefined])('treats HOME=%j as unset, for this process and its children', async (home) => {
  if (home === undefined) delete process.env['HOME'];
  else process.env['HOME'] = home;
  expect(homeOf({ name: 'app' }, {})).toBe(join(userInfo().homedir, '.app'));
  expect([homedir(), process.env['HOME']]).toEqual([userInfo().homedir, userInfo().homedir]);
  expect(await readdir(folder)).toEqual([]);
});

test('uses an absolute HOME, and APP_HOME first unless it is empty', () => {
  process.env['HOME'] = folder;
  expect(homeOf({ name: 'app' }, {})).toBe(join(folder, '.app'));
  expect(homeOf({ name: 'app' }, { APP_HOME: '/elsewhere' })).toBe('/elsewhere');
  expect(homeOf({ name: 'app' }, { APP_HOME: '' })).toBe(join(folder, '.app'));
});

test.each(['file', 'file/.app'])('rejects a home folder that is a file or lies below one: %j', async (path) => {
  await writeFile(join(folder, 'file'), '');
  process.env['HOME'] = join(folder, 'file');
  keepCompiledCode({ name: 'app' });
  const home = join(folder, path);
  await expect(openDistribution({ name: 'app', title: 'App' }, { home, sources: [] })).rejects.toMatchObject({
    code: 'START_ERR_HOME_UNUSABLE',
    message: expect.stringMatching(/^The home folder .*file.* cannot be created: .+\. Set HOME to a folder that you own/),
  });
  expect(await readdir(folder)).toEqual(['file']);
});
