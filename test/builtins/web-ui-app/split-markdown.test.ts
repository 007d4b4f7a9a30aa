import { describe, expect, it } from 'vitest';
import { completeMarkdown } from '../../../builtins/clients/web-ui/app/transcript/complete-markdown.ts';
import { createSplitter, type Block } from '../../../builtins/clients/web-ui/app/transcript/split-markdown.ts';

const text = '# Title\n\nSome *words*.\n\n- one\n- two\n\n```ts\nconst a = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nThe end.';
const split = (whole: string): readonly Block[] => createSplitter()(whole, false).blocks;

describe('blocks of markdown', () => {
  it('finds headings, lists, code and tables', () => {
    expect(split(text).map((block) => block.kind)).toEqual(['text', 'text', 'text', 'code', 'table', 'text']);
    expect(split(text)[3]).toMatchObject({ lang: 'ts', code: 'const a = 1;' });
  });

  it('gives the same blocks however the text arrived', () => {
    const splitter = createSplitter();
    for (let length = 1; length <= text.length; length++) splitter(text.slice(0, length), true);
    expect(splitter(text, true).blocks.map((block) => block.raw.trim())).toEqual(split(text).map((block) => block.raw.trim()));
    expect(splitter(text, false)).toEqual({ blocks: split(text), definitions: '' });
  });

  it('keeps keys and texts of finished blocks while the last one grows', () => {
    const splitter = createSplitter();
    const before = splitter('# Title\n\nSome', true).blocks;
    const after = splitter('# Title\n\nSome more words', true).blocks;
    expect(after[0]).toEqual(before[0]);
    expect(after[1]?.key).toBe(before[1]?.key);
  });

  it('shows code of a fence that is still open', () => {
    expect(createSplitter()('```js\nlet a', true).blocks).toMatchObject([{ kind: 'code', lang: 'js', code: 'let a' }]);
  });

  it('begins anew when the text is another one', () => {
    const splitter = createSplitter();
    splitter('one\n\ntwo', true);
    expect(splitter('three', true).blocks.map((block) => block.raw)).toEqual(['three']);
  });

  it('collects the addresses that links name elsewhere', () => {
    expect(createSplitter()('See [it].\n\n[it]: https://example.com', false)).toMatchObject({
      definitions: '[it]: https://example.com',
      blocks: [{ raw: 'See [it].' }],
    });
  });

  it('keeps a text with footnotes whole', () => {
    expect(split('A[^1]\n\nB\n\n[^1]: The note')).toHaveLength(1);
  });

  it('does not read a line of a megabyte as markdown', () => {
    expect(split('x'.repeat(1_000_000))).toMatchObject([{ kind: 'plain' }]);
  });

  it('cuts a long list into pieces that add up to it', () => {
    const list = Array.from({ length: 500 }, (_, index) => `${index + 1}. item number ${index}`).join('\n');
    const blocks = split(list);
    expect(blocks.length).toBeGreaterThan(2);
    expect(blocks.map((block) => block.raw).join('')).toBe(list);
    expect(blocks[1]).toMatchObject({ kind: 'text', isContinued: true });
  });

  it('leaves quotes and lists that nest without end as they are', () => {
    expect(split(`${'>'.repeat(500)} deep`)).toMatchObject([{ kind: 'plain' }]);
    const list = Array.from({ length: 100 }, (_, depth) => `${'  '.repeat(depth)}- item`).join('\n');
    expect(split(list).some((block) => block.kind === 'plain')).toBe(true);
    expect(split('> > > quoted\n\n- a\n  - b\n    - c')).toMatchObject([{ kind: 'text' }, { kind: 'text' }]);
  });

  it('survives text that is nested too deep', () => {
    expect(split('> '.repeat(20_000) + 'deep').length).toBeGreaterThan(0);
  });
});

describe('half-written markdown', () => {
  it('ends what was begun', () => {
    expect(completeMarkdown('some **bold')).toBe('some **bold**');
    expect(completeMarkdown('see [the manual](https://exa')).toBe('see the manual');
  });

  it('makes a table of its first line', () => {
    expect(completeMarkdown('| a | b |')).toBe('| a | b |\n| --- | --- |');
    expect(completeMarkdown('| a | b |\n|--')).toBe('| a | b |\n| --- | --- |');
    expect(completeMarkdown('| a | b |\n|---|---|\n| 1')).toContain('| 1');
  });
});
