import { expect, it } from 'vitest';
import { completeMarkdown } from '../../../../builtins/clients/web-ui/app/kit/markdown/complete-markdown.ts';
import { createSplitter, type Block } from '../../../../builtins/clients/web-ui/app/kit/markdown/split-markdown.ts';

const text = '# Title\n\nSome *words*.\n\n- one\n- two\n\n```ts\nconst a = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nThe end.';
const split = (whole: string): readonly Block[] => createSplitter()(whole, false).blocks;

it('splits text into headings, lists, code and tables', () => {
  expect(split(text).map((block) => block.kind)).toEqual(['text', 'text', 'text', 'code', 'table', 'text']);
  expect(split(text)[3]).toMatchObject({ lang: 'ts', code: 'const a = 1;' });
});

it('returns the same blocks for any chunking of the text', () => {
  const splitter = createSplitter();
  for (let length = 1; length <= text.length; length++) splitter(text.slice(0, length), true);
  expect(splitter(text, true).blocks.map((block) => block.raw.trim())).toEqual(split(text).map((block) => block.raw.trim()));
  expect(splitter(text, false)).toEqual({ blocks: split(text), definitions: '', notes: [] });
});

it('keeps the keys of finished blocks while the last one grows', () => {
  const splitter = createSplitter();
  const before = splitter('# Title\n\nSome', true).blocks;
  const after = splitter('# Title\n\nSome more words', true).blocks;
  expect(after[0]).toEqual(before[0]);
  expect(after[1]?.key).toBe(before[1]?.key);
});

it('shows the code of an unclosed fence', () => {
  expect(createSplitter()('```js\nlet a', true).blocks).toMatchObject([{ kind: 'code', lang: 'js', code: 'let a' }]);
});

it('starts over when the text is replaced', () => {
  const splitter = createSplitter();
  splitter('one\n\ntwo', true);
  expect(splitter('three', true).blocks.map((block) => block.raw)).toEqual(['three']);
});

it('collects link definitions', () => {
  expect(createSplitter()('See [it].\n\n[it]: https://example.com', false)).toMatchObject({
    definitions: '[it]: https://example.com',
    blocks: [{ raw: 'See [it].' }],
  });
});

it('extracts footnotes and numbers them in order of reference', () => {
  const noted =
    'A[^b] and[^a].\n\n```sh\necho "[^x]: 1"\n```\n\n[^a]: The *first*\ngoes on.\n\n    And on.\n[^b]: https://example.com\n\n[^c]: Nobody asks.\n\nB';
  const { blocks, notes } = createSplitter()(noted, false);
  expect(blocks.map((block) => [block.kind, block.raw.trim()])).toEqual([
    ['text', 'A[^b] and[^a].'],
    ['code', '```sh\necho "[^x]: 1"\n```'],
    ['text', 'B'],
  ]);
  expect(notes).toEqual([
    { id: 'b', text: 'https://example.com' },
    { id: 'a', text: 'The *first*\ngoes on.\n\nAnd on.' },
    { id: 'c', text: 'Nobody asks.' },
  ]);
  const splitter = createSplitter();
  for (let length = 1; length <= noted.length; length++) splitter(noted.slice(0, length), true);
  expect(splitter(noted, false)).toEqual({ blocks, notes, definitions: '' });
});

it('handles a repeated link definition', () => {
  const twice = 'See [it].\n\n[it]: https://a.example\n\n[it]: https://b.example\n\nThe end.';
  const splitter = createSplitter();
  for (let length = 1; length < twice.length; length++) splitter(twice.slice(0, length), true);
  expect(splitter(twice, true)).toMatchObject({ blocks: [{ raw: 'See [it].' }, { raw: 'The end.' }] });
});

it('treats a line of one megabyte as plain text', () => {
  expect(split('x'.repeat(1_000_000))).toMatchObject([{ kind: 'plain' }]);
});

it('cuts a long list into consecutive blocks', () => {
  const list = Array.from({ length: 500 }, (_, index) => `${index + 1}. item number ${index}`).join('\n');
  const blocks = split(list);
  expect(blocks.length).toBeGreaterThan(2);
  expect(blocks.map((block) => block.raw).join('')).toBe(list);
  expect(blocks[1]).toMatchObject({ kind: 'text', isContinued: true });
});

it('treats excessively nested quotes and lists as plain text', () => {
  expect(split(`${'>'.repeat(500)} deep`)).toMatchObject([{ kind: 'plain' }]);
  expect(split(`${'> '.repeat(20_000)}deep`)).toMatchObject([{ kind: 'plain' }]);
  const list = Array.from({ length: 100 }, (_, depth) => `${'  '.repeat(depth)}- item`).join('\n');
  expect(split(list).some((block) => block.kind === 'plain')).toBe(true);
  expect(split('> > > quoted\n\n- a\n  - b\n    - c')).toMatchObject([{ kind: 'text' }, { kind: 'text' }]);
});

it('completes open markup in incomplete markdown', () => {
  expect(completeMarkdown('some **bold')).toBe('some **bold**');
  expect(completeMarkdown('see [the manual](https://exa')).toBe('see the manual');
});

it('completes a table after its first line', () => {
  expect(completeMarkdown('| a | b |')).toBe('| a | b |\n| --- | --- |');
  expect(completeMarkdown('| a | b |\n|--')).toBe('| a | b |\n| --- | --- |');
  expect(completeMarkdown('| a | b |\n|---|---|\n| 1')).toContain('| 1');
});
