import { execFileSync } from 'node:child_process';
import { link, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as files from '../../../../builtins/tools/files/index.ts';
import { openToolBench } from './tool-bench.ts';
import { useEach } from '../../../helpers/use-opened.ts';

const at = (path: string): string => join(bench.workspace, path);

const bench = useEach(() => openToolBench({ modules: { files } }));

test('reads a text file with line numbers', async () => {
  await writeFile(at('a.txt'), 'one\ntwo\nthree\n');
  expect(await bench.output('read_file', { path: 'a.txt' })).toBe('1\tone\n2\ttwo\n3\tthree');
});

test('a page contains the next offset, except the last page', async () => {
  await writeFile(at('a.txt'), Array.from({ length: 25 }, (_, index) => `line ${index + 1}`).join('\n'));
  const page = await bench.output('read_file', { path: 'a.txt', offset: 9, limit: 3 });
  expect(page).toBe(' 9\tline 9\n10\tline 10\n11\tline 11\n\n[lines 9 to 11 of 25; next: offset 12]');
  expect(await bench.output('read_file', { path: 'a.txt', offset: 24 })).toBe('24\tline 24\n25\tline 25');
  expect(await bench.error('read_file', { path: 'a.txt', offset: 26 })).toContain('has 25 lines; there is no line 26');
});

test('limits the output of a huge file and of very long lines', async () => {
  await writeFile(at('wide.txt'), `${'x'.repeat(3_000_000)}\nend\n`);
  const wide = await bench.output('read_file', { path: 'wide.txt' });
  expect(wide).toContain('[line cut: 3,000,000 bytes]');
  expect(wide).toContain('2\tend');
  await writeFile(at('long.txt'), 'some words in a line\n'.repeat(100_000));
  const long = await bench.output('read_file', { path: 'long.txt', limit: 10_000 });
  expect(long.length).toBeLessThan(60_000);
  expect(long).toContain('of 100000; next: offset');
});

test('reports CRLF line endings and hides a byte order mark', async () => {
  await writeFile(at('dos.txt'), '\uFEFFone\r\ntwo\r\n');
  expect(await bench.output('read_file', { path: 'dos.txt' })).toBe('1\tone\n2\ttwo\n\n[line endings are CRLF]');
});

test('shows an image and rejects a binary file with its type', async () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  await writeFile(at('a.png'), png);
  expect(await bench.run('read_file', { path: 'a.png' })).toMatchObject({ ok: true, images: [{ mimeType: 'image/png', base64: png.toString('base64') }] });
  await writeFile(at('big.png'), Buffer.concat([png, Buffer.alloc(4 * 1024 * 1024)]));
  expect(await bench.error('read_file', { path: 'big.png' })).toContain('up to 4.0 MB can be shown');
  await writeFile(at('a.pdf'), '%PDF-1.7 text');
  expect(await bench.error('read_file', { path: 'a.pdf' })).toMatch(/PDF that cannot be read.*Invalid PDF structure/s);
  await writeFile(at('a.bin'), Buffer.from([1, 0, 2]));
  expect(await bench.error('read_file', { path: 'a.bin' })).toContain('application/octet-stream');
});

test('rejects folders, pipes, device files and invalid paths without blocking', async () => {
  await mkdir(at('folder'));
  expect(await bench.error('read_file', { path: 'folder' })).toContain('is a folder');
  execFileSync('mkfifo', [at('pipe')]);
  expect(await bench.error('read_file', { path: 'pipe' })).toContain('a named pipe');
  for (const path of ['/dev/zero', '/proc/self/environ']) expect(await bench.error('read_file', { path })).toContain('not a regular file');
  expect(await bench.error('read_file', { path: 'missing' })).toContain('There is no file missing');
  expect(await bench.error('read_file', { path: 'folder/x/../../a\0b' })).toContain('NUL');
  expect(await bench.error('read_file', { path: 'x'.repeat(300) })).toContain('too long');
  expect(await bench.error('read_file', { path: '~/x' })).toContain('~ is not expanded');
});

test('requires approval for files outside the workspace and marks their text as external content', async () => {
  const outside = join(bench.workspace, '..', 'outside.txt');
  await writeFile(outside, 'foreign');
  await symlink(outside, at('link'));
  await symlink(join(bench.workspace, '..'), at('up'));
  for (const path of ['../outside.txt', outside, 'link', 'up/outside.txt', 'up/new.txt']) {
    expect(await bench.asks('read_file', { path }), path).toContain('outside the workspace');
  }
  for (const path of ['../outside.txt', 'link', 'up/outside.txt'])
    expect(await bench.run('read_file', { path })).toMatchObject({ ok: true, isUntrusted: true });
  await link(outside, at('hard'));
  await writeFile(at('own.txt'), 'own');
  expect(await bench.asks('read_file', { path: 'own.txt' })).toBeUndefined();
  expect(await bench.run('read_file', { path: 'own.txt' })).not.toHaveProperty('isUntrusted');
});

test("refuses the product's own files, also through links", async () => {
  await writeFile(join(bench.home, 'web_token'), 'secret');
  await symlink(bench.home, at('home'));
  for (const path of [join(bench.home, 'web_token'), '../home/web_token', 'home/web_token']) {
    expect(await bench.error('read_file', { path }), path).toContain("this program's own files");
  }
  expect(await bench.error('list_dir', { path: 'home' })).toContain("this program's own files");
  expect(await bench.output('grep_files', { pattern: 'secret', path: '..' })).toContain('No line matches');
});

test('allows a workspace inside the home folder, but not its neighbours', async () => {
  const workspaceRoot = join(bench.home, 'chats', 'chat_1', 'workspace');
  await mkdir(workspaceRoot, { recursive: true });
  await writeFile(join(workspaceRoot, 'a.txt'), 'mine');
  await writeFile(join(workspaceRoot, '..', 'meta.json'), '{}');
  expect(await bench.output('read_file', { path: 'a.txt' }, { workspaceRoot })).toBe('1\tmine');
  expect(await bench.error('read_file', { path: '../meta.json' }, { workspaceRoot })).toContain("this program's own files");
});

test('requires approval to read or edit a hard link, and skips hard links in a search', async () => {
  const outside = join(bench.workspace, '..', 'key.txt');
  await writeFile(outside, 'the key\n');
  await link(outside, at('notes.txt'));
  await writeFile(at('mine.txt'), 'no key\n');
  expect(await bench.asks('read_file', { path: 'notes.txt' })).toContain('hard link');
  expect(await bench.asks('grep_files', { path: 'notes.txt', pattern: 'key' })).toContain('hard link');
  expect(await bench.asks('edit_file', { path: 'notes.txt', edits: [] })).toContain('hard link');
  expect(await bench.asks('read_file', { path: 'mine.txt' })).toBeUndefined();
  const found = await bench.output('grep_files', { pattern: 'key' });
  expect(found).toContain('mine.txt');
  expect(found).not.toContain('the key');
  expect(found).toContain('1 hard links were skipped');
  // Once approved by name, it is searched like any file.
  expect(await bench.output('grep_files', { path: 'notes.txt', pattern: 'key' })).toContain('1: the key');
});
