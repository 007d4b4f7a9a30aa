// Tests everyday file work: conflicting edits, apply_patch patches, folders with brackets and document notes.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import * as files from '../../../../builtins/tools/files/index.ts';
import { openToolBench } from './tool-bench.ts';
import { useEach } from '../../../helpers/use-opened.ts';

const bench = useEach(() => openToolBench({ modules: { files } }));
const at = (path: string): string => join(bench.workspace, path);
const text = (path: string): Promise<string> => readFile(at(path), 'utf8');

test.each([
  ['read', () => bench.output('read_file', { path: 'notes.md' })],
  ['written', () => bench.output('write_file', { path: 'notes.md', content: 'one\n' })],
  ['edited', () => bench.output('edit_file', { path: 'notes.md', edits: [{ search: 'zero', replace: 'one' }] })],
])('does not replace a file that was changed since the chat has %s it, until it is read again', async (_, see) => {
  await writeFile(at('notes.md'), 'zero\n');
  await see();
  const known = await text('notes.md');
  await writeFile(at('notes.md'), `${known}typed by hand\n`);
  const write = { path: 'notes.md', content: `${known}two\n` };
  expect(await bench.error('write_file', write)).toContain('changed since this chat last read or wrote it');
  expect(await text('notes.md')).toBe(`${known}typed by hand\n`);
  await bench.output('write_file', { path: 'notes.md', content: 'end\n', mode: 'append' });
  await writeFile(at('notes.md'), 'again\n');
  expect(await bench.error('write_file', write)).toContain('changed since');
  await bench.output('read_file', { path: 'notes.md' });
  await bench.output('write_file', write);
  await bench.output('write_file', { ...write, content: 'three\n' });
  expect(await text('notes.md')).toBe('three\n');
});

test('does not replace a file that another chat changed in the meantime', async () => {
  await writeFile(at('a.txt'), 'start\n');
  await bench.output('read_file', { path: 'a.txt' }, { chatId: 'chat_1' });
  await bench.output('read_file', { path: 'a.txt' }, { chatId: 'chat_2' });
  await bench.output('write_file', { path: 'a.txt', content: 'by two\n' }, { chatId: 'chat_2' });
  expect(await bench.error('write_file', { path: 'a.txt', content: 'by one\n' }, { chatId: 'chat_1' })).toContain('changed since');
  await bench.output('write_file', { path: 'a.txt', content: 'by three\n' }, { chatId: 'chat_3' });
  await bench.output('write_file', { path: 'new.txt', content: 'new\n' }, { chatId: 'chat_1' });
});

const code = 'class A {\n  one() {\n    return 1;\n  }\n}\nclass B {\n  one() {\n    return 1;\n  }\n}\n';
const envelope = (...lines: readonly string[]): string => ['*** Begin Patch', '*** Update File: a.js', ...lines, '*** End Patch'].join('\n');

test.each([
  ['with anchors', envelope('@@ class B {', '@@   one() {', '-    return 1;', '+    return 2;'), code.replace(/1;(?![^]*1;)/, '2;')],
  ['with consecutive changes', envelope('@@', '-class A {', '+class C {', '@@', '-class B {', '+class D {'), code.replace('A', 'C').replace('B', 'D')],
  ['at the end of the file', envelope('@@', ' }', '+// end', '*** End of File'), `${code}// end\n`],
  ['ignoring trailing whitespace', envelope('@@', '-class A {  ', '+class C {'), code.replace('A', 'C')],
  ['without its first and last line', '*** Update File: ./a.js\n@@\n-class A {\n+class C {', code.replace('A', 'C')],
])('applies an apply_patch patch: %s', async (_, patch, expected) => {
  await writeFile(at('a.js'), code);
  await bench.output('edit_file', { path: 'a.js', patch });
  expect(await text('a.js')).toBe(expected);
});

test.each([
  ['another file', '*** Begin Patch\n*** Update File: b.js\n@@\n-x\n+y\n*** End Patch', 'changes b.js'],
  ['two files', `${envelope('@@', '-class A {', '+class C {')}\n*** Update File: b.js\n@@\n-x\n+y`, 'changes b.js'],
  ['a new file', '*** Begin Patch\n*** Add File: a.js\n+x\n*** End Patch', 'Use write_file'],
  ['a move', envelope('*** Move to: b.js', '@@', '-class A {', '+class C {'), 'moves a file'],
  ['a change that does not match', envelope('@@', '-class X {', '+class C {'), 'Change 1 of 1 does not match a.js'],
  ['no change', envelope('@@'), 'changes nothing'],
])('rejects an apply_patch patch with %s and changes nothing', async (_, patch, why) => {
  await writeFile(at('a.js'), code);
  expect(await bench.error('edit_file', { path: 'a.js', patch })).toContain(why);
  expect(await text('a.js')).toBe(code);
});

test.each(['app/[slug]/*', 'app/[slug]/page.tsx', '**/[slug]/**', '[slug]/page.tsx', 'app/\\[slug\\]/*', 'app/[s]/page.tsx', '{app,src}/[slug]/*'])(
  'matches a folder name with brackets, and keeps character classes: %s',
  async (pattern) => {
    await mkdir(at('app/[slug]'), { recursive: true });
    await mkdir(at('app/s'));
    await writeFile(at('app/[slug]/page.tsx'), 'needle\n');
    await writeFile(at('app/s/page.tsx'), 'needle\n');
    const found = (await bench.output('find_files', { pattern })).split('\n');
    if (pattern.startsWith('[slug]')) return expect(found[0]).toContain('No file matches');
    expect(found).toContain(pattern.includes('[s]') ? 'app/s/page.tsx' : 'app/[slug]/page.tsx');
    expect(await bench.output('grep_files', { pattern: 'needle', glob: pattern })).toContain(found[0]);
  },
);

test('accepts absolute patterns below the folder, and explains a pattern that cannot match', async () => {
  await writeFile(at('a.md'), 'x\n');
  expect(await bench.output('find_files', { pattern: at('*.md') })).toBe('a.md');
  expect(await bench.output('find_files', { pattern: '!*.md' })).toContain('cannot exclude');
  expect(await bench.output('find_files', { pattern: 'app/' })).toContain('try app/**');
  expect(await bench.output('find_files', { pattern: '*.txt,*.rst' })).toContain('{*.txt,*.rst}');
  expect(await bench.output('grep_files', { pattern: 'x', glob: '!*.md' })).toContain('cannot exclude');
});

test.each([true, false])('reads footnotes and comments with their references, without hidden text (relations: %s)', async (hasRelations) => {
  const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const relation = (id: number, type: string, target: string): string =>
    `<Relationship Id="r${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`;
  const relations = (...all: readonly string[]): string => `<Relationships>${all.join('')}</Relationships>`;
  const run = (inner: string): string => `<w:r>${inner}</w:r>`;
  const paragraph = (...runs: readonly string[]): string => `<w:p>${runs.join('')}</w:p>`;
  const body = paragraph(
    run('<w:t>Text</w:t>'),
    run('<w:footnoteReference w:id="2"/>'),
    run('<w:commentReference w:id="0"/>'),
    run('<w:rPr><w:vanish/></w:rPr><w:t>HIDDEN</w:t>'),
    run('<w:t> goes on</w:t>'),
  );
  const parts = {
    '_rels/.rels': relations(relation(1, 'officeDocument', 'word/document.xml')),
    'word/document.xml': `<w:document ${w}><w:body>${body}</w:body></w:document>`,
    'word/footnotes.xml': `<w:footnotes ${w}><w:footnote w:id="0" w:type="separator">${paragraph()}</w:footnote><w:footnote w:id="2">${paragraph(run('<w:t>FOOTNOTE</w:t>'))}</w:footnote></w:footnotes>`,
    'word/comments.xml': `<w:comments ${w}><w:comment w:id="0">${paragraph(run('<w:t>COMMENTTEXT</w:t>'))}</w:comment></w:comments>`,
    ...(hasRelations ? { 'word/_rels/document.xml.rels': relations(relation(2, 'footnotes', 'footnotes.xml'), relation(3, 'comments', 'comments.xml')) } : {}),
  };
  await writeFile(at('a.docx'), zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)]))));
  const read = await bench.output('read_file', { path: 'a.docx' });
  expect(read).toBe('Text[^2][^c0] goes on\n\n# Footnotes\n[^2]: FOOTNOTE\n\n# Comments\n[^c0]: COMMENTTEXT');
});
