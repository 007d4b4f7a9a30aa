// Tests file names in composed and decomposed Unicode form.
import { mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as files from '../../../../builtins/tools/files/index.ts';
import { openToolBench } from './tool-bench.ts';
import { useEach } from '../../../helpers/use-opened.ts';

const composed = 'caf\u00E9'.normalize('NFC');
const decomposed = composed.normalize('NFD');

const at = (path: string): string => join(bench.workspace, path);

const bench = useEach(() => openToolBench({ modules: { files } }));

test.each([
  ['composed', decomposed, composed],
  ['decomposed', composed, decomposed],
])('a %s name finds the file whose name has the other form', async (_, there, given) => {
  await mkdir(at(`${there} menu`));
  await writeFile(at(`${there} menu/${there}.txt`), 'one\ntwo\n');
  const path = `${given} menu/${given}.txt`;
  expect(await bench.output('read_file', { path })).toContain('one');
  await bench.output('edit_file', { path, edits: [{ search: 'one', replace: 'three' }] });
  await bench.output('write_file', { path, content: 'four\n', mode: 'append' });
  expect(await readFile(at(`${there} menu/${there}.txt`), 'utf8')).toBe('three\ntwo\nfour\n');
  await bench.output('write_file', { path, content: 'five\n' });
  expect(await bench.error('write_file', { path, content: '', mode: 'create' })).toContain('already exists');
  expect(await readdir(at(`${there} menu`))).toEqual([`${there}.txt`]);
  await bench.output('write_file', { path: `${given} menu/new.txt`, content: 'new' });
  expect(await readdir(at('.'))).toEqual([`${there} menu`]);

  expect(await bench.output('list_dir', { path: `${given} menu` })).toContain(`${there}.txt  5`);
  for (const pattern of [`${given}.txt`, `${given}*/*.txt`, `caf[${given.normalize('NFC').at(-1)}].txt`, `{x,${given}}.txt`])
    expect(await bench.output('find_files', { pattern }), pattern).toContain(`${there} menu/${there}.txt`);
  expect(await bench.output('find_files', { pattern: '*', path: `${given} menu` })).toContain(`${there}.txt`);
  expect(await bench.output('grep_files', { pattern: 'five', glob: `${given}.*` })).toContain('1: five');
  expect(await bench.output('grep_files', { pattern: 'five', path })).toContain('1: five');
});

test('prefers the exact form, and reports an ambiguous name', async () => {
  await writeFile(at(`${composed}.txt`), 'composed');
  await writeFile(at(`${decomposed}.txt`), 'decomposed');
  if ((await readdir(at('.'))).length === 1) return;
  expect(await bench.output('read_file', { path: `${composed}.txt` })).toContain('composed');
  expect(await bench.output('read_file', { path: `${decomposed}.txt` })).toContain('decomposed');
  await bench.output('write_file', { path: `${decomposed}.txt`, content: 'changed' });
  expect(await readFile(at(`${composed}.txt`), 'utf8')).toBe('composed');

  // Three ways to encode two accents. The requested one does not exist.
  const [first, second] = ['\u1EA5'.normalize('NFD'), '\u00E2\u0301'];
  for (const name of [first, second]) await writeFile(at(`${name}.md`), name);
  expect(await bench.error('read_file', { path: '\u1EA5.md' })).toContain('several files');
});

test('checks apply to the file that is actually opened', async () => {
  await mkdir(at('../outside'));
  await writeFile(at('../outside/secret.txt'), 'secret');
  await symlink(at('../outside/secret.txt'), at(`${decomposed}.txt`));
  expect(await bench.asks('read_file', { path: `${composed}.txt` })).toContain('outside the workspace');
  expect(await bench.error('write_file', { path: `${composed}.txt`, content: 'x' })).toContain('symbolic link out of');
  // The product's own files are refused in both forms.
  await writeFile(join(bench.home, `${decomposed}.json`), '{}');
  expect(await bench.error('read_file', { path: join(bench.home, `${composed}.json`) })).toContain("this program's own files");
});
