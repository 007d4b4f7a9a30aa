import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import * as files from '../../../../builtins/tools/files/index.ts';
import { openToolBench } from './tool-bench.ts';
import { useEach } from '../../../helpers/use-opened.ts';

const at = (path: string): string => join(bench.workspace, path);
const text = (path: string): Promise<string> => readFile(at(path), 'utf8');
const edit = (edits: object[], path = 'a.ts'): Promise<string> => bench.output('edit_file', { path, edits });
const editError = (edits: object[], path = 'a.ts'): Promise<string> => bench.error('edit_file', { path, edits });

const bench = useEach(() => openToolBench({ modules: { files } }));
beforeEach(async () => {
  await writeFile(at('a.ts'), 'import x\n\nfunction one() {\n  return 1;\n}\n\nfunction two() {\n  return 2;\n}\n');
});

test('returns the diff of an edit', async () => {
  expect(await edit([{ search: 'return 1;', replace: 'return 11;' }])).toBe(
    '--- a.ts\n+++ a.ts\n@@ -1,7 +1,7 @@\n import x\n \n function one() {\n-  return 1;\n+  return 11;\n }\n \n function two() {',
  );
});

test('applies edits in order, and none of them when one fails', async () => {
  const before = await text('a.ts');
  expect(
    await editError([
      { search: 'import x', replace: 'import y' },
      { search: 'return 3;', replace: '' },
    ]),
  ).toContain('Edit 2: the search text was not found');
  expect(await text('a.ts')).toBe(before);
  await edit([
    { search: 'import x', replace: 'import y' },
    { search: 'import y', replace: 'import z' },
  ]);
  expect(await text('a.ts')).toContain('import z');
});

test('an ambiguous search returns the line numbers, and all: true replaces every match', async () => {
  expect(await editError([{ search: 'function', replace: 'async function' }])).toContain('occurs 2 times in a.ts (lines 3, 7)');
  await edit([{ search: 'function', replace: 'async function', all: true }]);
  expect((await text('a.ts')).match(/async function/g)).toHaveLength(2);
});

test('replaces 60,000 matches in linear time', async () => {
  const lines = 30_000;
  await writeFile(at('large.txt'), 'x y x\r\n'.repeat(lines));
  await edit([{ search: 'x', replace: 'a\nb', all: true }], 'large.txt');
  expect((await text('large.txt')) === 'a\r\nb y a\r\nb\r\n'.repeat(lines)).toBe(true);
});

test('keeps the line ending of each match in a file with mixed line endings', async () => {
  await writeFile(at('mixed.txt'), 'a\nb\r\na\nb\nc\r\na\r\nb');
  await edit([{ search: 'a\nb', replace: 'A\nB\nC', all: true }], 'mixed.txt');
  expect(await text('mixed.txt')).toBe('A\nB\nC\r\nA\nB\nC\nc\r\nA\r\nB\r\nC');
  await edit([{ search: 'c\n', replace: '', all: true }], 'mixed.txt');
  expect(await text('mixed.txt')).toBe('A\nB\nC\r\nA\nB\nC\nA\r\nB\r\nC');
});

test('a failed search returns the nearest text with its lines', async () => {
  expect(await editError([{ search: 'function two() {\n  return 22;\n}', replace: '' }])).toContain(
    'Closest text (lines 7 to 9):\nfunction two() {\n  return 2;\n}',
  );
  expect(await editError([{ search: 'function one()  {\n\treturn 1;', replace: '' }])).toContain('It differs in whitespace only (lines 3 to 4)');
  expect(await editError([{ search: 'zzz qqq', replace: '' }])).not.toContain('nearest');
});

test('treats dollar signs in a replacement as text', async () => {
  await edit([{ search: 'return 1;', replace: "return '$&$1$$';" }]);
  expect(await text('a.ts')).toContain("return '$&$1$$';");
});

test('keeps line endings, byte order mark and mode', async () => {
  await writeFile(at('dos.txt'), '\uFEFFone\r\ntwo\r\nthree\r\n');
  await chmod(at('dos.txt'), 0o755);
  await edit([{ search: 'one\ntwo', replace: '1\n2' }], 'dos.txt');
  expect(await text('dos.txt')).toBe('\uFEFF1\r\n2\r\nthree\r\n');
  await bench.output('edit_file', { path: 'dos.txt', patch: '@@ -2,2 +2,2 @@\n 2\n-three\n+3\n' });
  expect(await text('dos.txt')).toBe('\uFEFF1\r\n2\r\n3\r\n');
  expect((await stat(at('dos.txt'))).mode & 0o777).toBe(0o755);
});

test('applies a patch with wrong line numbers or counts', async () => {
  const patch =
    '--- a/a.ts\n+++ b/a.ts\n@@ -40,9 +40,9 @@\n function one() {\n-  return 1;\n+  return 11;\n }\n@@ -60,3 +60,3 @@\n function two() {\n-  return 2;\n+  return 22;\n }\n';
  await bench.output('edit_file', { path: 'a.ts', patch });
  expect(await text('a.ts')).toBe('import x\n\nfunction one() {\n  return 11;\n}\n\nfunction two() {\n  return 22;\n}\n');
});

test('a patch with one hunk that does not fit changes nothing and names the hunk', async () => {
  const before = await text('a.ts');
  const patch = '@@ -3,3 +3,3 @@\n function one() {\n-  return 1;\n+  return 11;\n }\n@@ -7,3 +7,3 @@\n function two() {\n-  return 3;\n+  return 22;\n }\n';
  const error = await bench.error('edit_file', { path: 'a.ts', patch });
  expect(error).toContain('Hunk 2 of 2 (line 7) does not match a.ts; nothing was changed.');
  expect(error).toContain('lines 7 to 9');
  expect(await text('a.ts')).toBe(before);
  expect(await bench.error('edit_file', { path: 'a.ts', patch: 'nonsense' })).toContain('no hunks');
});

test('explains invalid arguments', async () => {
  expect(await bench.error('edit_file', { path: 'a.ts' })).toContain('either edits or patch');
  expect(await editError([{ search: 'x', replace: 'x' }])).toContain('are the same');
  expect(await editError([{ search: 'x', replace: 'y' }], 'missing.ts')).toContain('There is no file missing.ts');
  await writeFile(at('damaged.txt'), Buffer.from([0x61, 0xe9, 0x01, 0x62]));
  expect(await editError([{ search: 'a', replace: 'b' }], 'damaged.txt')).toContain('not valid text');
});

test('the preview is the diff and does not change the file', async () => {
  const place = { chatId: 'chat_1', callId: 'call_1', workspaceRoot: bench.workspace };
  const preview = (name: string, args: object): unknown => bench.descriptor(name).preview?.(args as never, place);
  expect(await preview('edit_file', { path: 'a.ts', edits: [{ search: 'import x', replace: 'import y' }] })).toMatchObject({
    kind: 'diff',
    path: 'a.ts',
    diff: expect.stringContaining('-import x\n+import y'),
  });
  expect(await preview('write_file', { path: 'new.ts', content: 'a\n' })).toMatchObject({ diff: '--- /dev/null\n+++ new.ts\n@@ -0,0 +1,1 @@\n+a' });
  expect(await preview('edit_file', { path: 'missing.ts', edits: [{ search: 'a', replace: 'b' }] })).toBeUndefined();
  expect(await text('a.ts')).toContain('import x');
});

test.each([
  ['Latin-1', Buffer.from('na\xefve caf\xe9\r\n', 'latin1'), 'Windows-1252'],
  ['UTF-16 with a mark', Buffer.from('\uFEFFnaïve café\r\n', 'utf16le'), 'UTF-16 (little endian)'],
  ['UTF-16, the other way round', Buffer.from('\uFEFFnaïve café\r\n', 'utf16le').swap16(), 'UTF-16 (big endian)'],
  ['UTF-16 without a mark', Buffer.from('naïve café\r\n', 'utf16le'), 'UTF-16 (little endian)'],
])('reads, searches and edits a text in %s and keeps its encoding', async (_, bytes, name) => {
  await writeFile(at('old.txt'), bytes);
  const read = await bench.output('read_file', { path: 'old.txt' });
  expect(read).toContain('1\tnaïve café');
  expect(read).toContain(name);
  expect(await bench.output('grep_files', { pattern: 'naïve', glob: 'old.txt' })).toContain('1: naïve café');
  expect(await bench.output('edit_file', { path: 'old.txt', edits: [{ search: 'naïve', replace: 'schöne' }] })).toContain('+schöne café');
  await bench.output('write_file', { path: 'old.txt', content: 'größer\n', mode: 'append' });
  const decoder = new TextDecoder(name === 'Windows-1252' ? 'windows-1252' : name.includes('big') ? 'utf-16be' : 'utf-16le', { ignoreBOM: true });
  const expected = `${bytes[0]! >= 0xfe ? '\uFEFF' : ''}schöne café\r\ngrößer\r\n`;
  expect(decoder.decode(await readFile(at('old.txt')))).toBe(expected);
});

test('reads a first character that resembles half a byte order mark as text', async () => {
  await writeFile(at('old.txt'), Buffer.from('\xff one\nt\xf6o\n', 'latin1'));
  expect(await bench.output('read_file', { path: 'old.txt' })).toContain('1\tÿ one');
  expect(await bench.output('grep_files', { pattern: '^ÿ', glob: 'old.txt' })).toContain('1: ÿ one');
  await bench.output('edit_file', { path: 'old.txt', edits: [{ search: 'töo', replace: 'two' }] });
  expect((await readFile(at('old.txt'))).toString('latin1')).toBe('\xff one\ntwo\n');
});

test('rejects text that the encoding cannot represent before it writes', async () => {
  const bytes = Buffer.from('caf\xe9\n', 'latin1');
  await writeFile(at('old.txt'), bytes);
  expect(await bench.error('edit_file', { path: 'old.txt', edits: [{ search: 'caf', replace: '日本' }] })).toContain('lacks a character');
  expect(await readFile(at('old.txt'))).toEqual(bytes);
});
