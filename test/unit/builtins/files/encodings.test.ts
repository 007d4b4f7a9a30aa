// Tests each encoding with each line ending and tool: changed and unchanged bytes.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as files from '../../../../builtins/tools/files/index.ts';
import { encodeText, type Encoding } from '../../../../builtins/tools/files/documents/text-form.ts';
import { openToolBench } from './tool-bench.ts';
import { useEach } from '../../../helpers/use-opened.ts';

const bench = useEach(() => openToolBench({ modules: { files } }));
const path = 'old.txt';
const at = (): string => join(bench.workspace, path);
const bytes = (): Promise<Buffer> => readFile(at());

const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');
const wide =
  (encoding: Encoding) =>
  (text: string): Buffer =>
    encodeText(text, { encoding, mark: 0 }) as Buffer;
/** An encoder for each encoding, and two sample words. */
const encodings: readonly [string, (text: string) => Buffer, string, string][] = [
  ['UTF-8', utf8, 'café', 'naïve'],
  ['UTF-8 with a mark', (text) => utf8(`\uFEFF${text}`), 'café', 'naïve'],
  ['UTF-16LE with a mark', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'), 'café', 'naïve'],
  ['UTF-16BE with a mark', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(), 'café', 'naïve'],
  ['UTF-16LE without a mark', (text) => Buffer.from(text, 'utf16le'), 'café', 'naïve'],
  ['Windows-1252', wide('windows-1252'), '“café” €5 – it’s', 'naïve'],
  ['GB18030', wide('gb18030'), '你好世界', '再见朋友'],
  ['Big5', wide('big5'), '我們的語言', '再見朋友'],
  ['Shift-JIS', wide('shift_jis'), '日本語のテキスト', 'さようなら'],
  ['EUC-JP', wide('euc-jp'), 'これは日本語のテキスト', 'さようなら'],
  ['EUC-KR', wide('euc-kr'), '안녕하세요 세계 여러분', '다시 만나요'],
];
const lineEnds: readonly [string, string][] = [
  ['LF', '\n'],
  ['CRLF', '\r\n'],
];
const cases = encodings.flatMap(([name, encode, word, other]) => lineEnds.map(([end, eol]) => [name, end, encode, eol, word, other] as const));

test.each(cases)('%s, %s: reads, searches, edits, patches, appends and replaces without changing the format', async (_name, _end, encode, eol, word, other) => {
  const of = (...lines: readonly string[]): Buffer => encode(lines.map((line) => line + eol).join(''));
  await writeFile(at(), of(word, 'two', 'three'));
  expect(await bench.output('read_file', { path })).toContain(`1\t${word}\n2\ttwo\n3\tthree`);
  expect(await bench.output('grep_files', { pattern: word.slice(0, 4), literal: true })).toContain(`1: ${word}`);
  expect(await bytes()).toEqual(of(word, 'two', 'three'));

  await bench.output('edit_file', { path, edits: [{ search: 'two\nthree', replace: `2\n${other}\n3` }] });
  expect(await bytes()).toEqual(of(word, '2', other, '3'));
  await bench.output('edit_file', { path, patch: `@@ -1,2 +1,2 @@\n ${word}\n-2\n+zwei\n` });
  expect(await bytes()).toEqual(of(word, 'zwei', other, '3'));
  await bench.output('edit_file', { path, patch: `*** Begin Patch\n*** Update File: ${path}\n@@\n ${word}\n-zwei\n+2\n+2b\n*** End Patch` });
  expect(await bytes()).toEqual(of(word, '2', '2b', other, '3'));
  await bench.output('write_file', { path, content: `${other}\nend\n`, mode: 'append' });
  expect(await bytes()).toEqual(of(word, '2', '2b', other, '3', other, 'end'));
  await bench.output('write_file', { path, content: `${word}\n${other}\n` });
  expect(await bytes()).toEqual(of(word, other));
});

test.each<[string, number[], string]>([
  ['GBK', [0xc4, 0xe3, 0xba, 0xc3, 0xca, 0xc0, 0xbd, 0xe7, 0x0a], '你好世界'],
  ['Shift-JIS', [0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea, 0x0a], '日本語'],
  ['Big5', [0xa7, 0xda, 0x41, 0x42, 0x0a], '我AB'],
  [
    'Windows-1252',
    [0x93, 0x71, 0x75, 0x6f, 0x74, 0x65, 0x94, 0x20, 0x80, 0x35, 0x20, 0x96, 0x20, 0x69, 0x74, 0x92, 0x73, 0x20, 0xe9, 0x0a],
    '“quote” €5 – it’s é',
  ],
  [
    'Windows-1252 of few bytes',
    [...Buffer.from('Müller, naïve, résumé, it’s\n', 'latin1')].map((byte) => (byte === 0x19 ? 0x92 : byte)),
    'Müller, naïve, résumé, it’s',
  ],
])('detects %s by its bytes and reports that it is not UTF-8', async (_name, given, text) => {
  await writeFile(at(), Buffer.from(given));
  const read = await bench.output('read_file', { path });
  expect(read).toContain(`1\t${text}`);
  expect(read).toMatch(/encoding is not UTF-8; read as/);
});

test('shows an invalid UTF-8 byte as a replacement character and refuses to edit the file', async () => {
  const given = Buffer.concat([utf8('good é\n'), Buffer.from([0xff, 0x0a]), utf8('tail\n')]);
  await writeFile(at(), given);
  expect(await bench.output('read_file', { path })).toContain('1\tgood é\n2\t\uFFFD\n3\ttail');
  expect(await bench.error('edit_file', { path, edits: [{ search: 'tail', replace: 'end' }] })).toContain('not valid text');
  expect(await bytes()).toEqual(given);
});

test('keeps bytes that Windows-1252 does not define, and rejects text it cannot represent', async () => {
  await writeFile(at(), Buffer.from([0x61, 0x81, 0x8d, 0x8f, 0x90, 0x9d, 0xe9, 0x0a]));
  await bench.output('edit_file', { path, edits: [{ search: 'a', replace: '€10 ' }] });
  expect([...(await bytes())]).toEqual([0x80, 0x31, 0x30, 0x20, 0x81, 0x8d, 0x8f, 0x90, 0x9d, 0xe9, 0x0a]);
  expect(await bench.error('write_file', { path, content: '日本語' })).toContain('lacks a character');
});

test('keeps CRLF in new content', async () => {
  await writeFile(at(), 'one\ntwo\n');
  await bench.output('write_file', { path, content: 'a\r\nb\r\n' });
  expect(await bytes()).toEqual(utf8('a\r\nb\r\n'));
});

test('in a file with mixed line endings, a search matches both and each line keeps its own', async () => {
  await writeFile(at(), 'a\r\nB\nc\r\nd\n');
  await bench.output('edit_file', { path, edits: [{ search: 'a\nB\nc', replace: 'a\nb\nc' }] });
  expect(await bytes()).toEqual(utf8('a\r\nb\nc\r\nd\n'));
  await bench.output('edit_file', { path, patch: '@@ -1,4 +1,5 @@\n a\n-b\n+B\n+B2\n c\n d\n' });
  expect((await bytes()).toString()).toMatch(/^a\r\nB\r?\nB2\r?\nc\r\nd\n$/);
  await writeFile(at(), 'x\r\ny\r\nx\ny\n');
  expect(await bench.error('edit_file', { path, edits: [{ search: 'x\ny', replace: 'z' }] })).toContain('occurs 2 times');
  await bench.output('edit_file', { path, edits: [{ search: 'x\ny', replace: 'z', all: true }] });
  expect(await bytes()).toEqual(utf8('z\r\nz\n'));
});
