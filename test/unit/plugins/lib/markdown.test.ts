import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Lexer, Parser } from 'marked';
import { expect, test } from 'vitest';
import { createMarkdownStream } from '../../../../builtins/clients/tui/rows/stream-markdown.ts';
import { textOf } from '../../../../builtins/clients/tui/screen/spans.ts';
import { createSplitter } from '../../../../builtins/clients/web-ui/app/kit/markdown/split-markdown.ts';
import { createSpokenReader } from '../../../../builtins/voice/speech/spoken/read-blocks.ts';
import { lexMarkdown } from '../../../../plugins/lib/markdown.ts';
import { root } from '../../../helpers/sources.ts';

const html = (text: string): string => Parser.parse(lexMarkdown(text)).trim();

test.each([
  ['这是**“重点”**内容，**“别的”**也是。', '这是<strong>“重点”</strong>内容，<strong>“别的”</strong>也是。'],
  ['**注意：**这里', '<strong>注意：</strong>这里'],
  ['**注意：**TypeScript', '<strong>注意：</strong>TypeScript'],
  ['使用**《书》**React和A**「x」**B', '使用<strong>《书》</strong>React和A<strong>「x」</strong>B'],
  ['**重要（必读）**的文字', '<strong>重要（必读）</strong>的文字'],
  ['*（注）*这', '<em>（注）</em>这'],
  ['前~~“删”~~后，~~删除（括号）。~~这个', '前<del>“删”</del>后，<del>删除（括号）。</del>这个'],
  ['日本語の**「強調」**です。', '日本語の<strong>「強調」</strong>です。'],
  ['**“강조”**는', '<strong>“강조”</strong>는'],
  // All other cases follow CommonMark.
  ['**bold:**next', '**bold:**next'],
  ['a**"b"**c and a~~"b"~~c', 'a**&quot;b&quot;**c and a~~&quot;b&quot;~~c'],
  ['** 不** 和 2 * 3 * 4', '** 不** 和 2 * 3 * 4'],
])('emphasis next to punctuation: %s', (text, expected) => {
  expect(html(text)).toBe(`<p>${expected}</p>`);
});

test.each([
  ['访问 https://example.com/docs（中文说明）了解更多', 'https://example.com/docs'],
  ['见 https://example.com/a，谢谢', 'https://example.com/a'],
  ['https://example.com。', 'https://example.com'],
  ['（https://example.com/b）', 'https://example.com/b'],
  ['“https://example.com/c”', 'https://example.com/c'],
  ['https://example.com了解', 'https://example.com'],
  ['https://zh.example.org/wiki/北京 在', 'https://zh.example.org/wiki/北京'],
  ['https://bücher.example/x', 'https://bücher.example/x'],
  ['see https://example.com/b_(c).', 'https://example.com/b_(c)'],
])('a bare URL ends at its own end: %s', (text, address) => {
  expect(html(text)).toContain(`>${address}</a>`);
});

const nested = 'Here:\n\n```markdown\n# T\n\n```bash\nnpm ci\n```\n\n## After\n```\n\nThat was it, **done**.';

test('a markdown code block keeps its inner blocks: page, streaming, terminal, speech', () => {
  const inner = '# T\n\n```bash\nnpm ci\n```\n\n## After';
  const [, block, after] = createSplitter()(nested, false).blocks;
  expect([block, after]).toMatchObject([{ kind: 'code', lang: 'markdown', code: inner }, { raw: 'That was it, **done**.' }]);
  const splitter = createSplitter();
  const open = nested.indexOf('## After') + 8;
  for (let end = 1; end <= open; end++) splitter(nested.slice(0, end), true);
  expect(splitter(nested.slice(0, open), true).blocks.at(-1)).toMatchObject({ kind: 'code', code: inner });
  for (const pieces of [1, 7, 1_000]) {
    const stream = createMarkdownStream();
    const lines: string[] = [];
    for (let end = pieces; end < nested.length + pieces; end += pieces) {
      const text = nested.slice(0, end);
      lines.push(...stream.take(text, text === nested, 60).commits.map(textOf));
    }
    expect(lines).toEqual(['Here:', '', '```markdown', ...inner.split('\n'), '```', '', 'That was it, done.']);
  }
  const reader = createSpokenReader();
  expect([...reader.add(nested), ...reader.end()].map(({ text }) => text)).toEqual(['Here:', 'Code, 7 lines.', 'That was it, done.']);
});

test.each([
  ['in a list', '- a\n  ```md\n  ```js\n  1\n  ```\n  # B\n  ```\n- b', '```js\n1\n```\n# B\n'],
  ['in a quotation', '> ```md\n> ```js\n> ```\n> x\n> ```\n> end', '```js\n```\nx\n'],
  ['an empty block', '```md\n```\n\n```js\n1\n```', ''],
  ['siblings', '```markdown\n# T\n```\n\n```bash\nnpm ci\n```', '# T\n'],
  ['a longer fence', '````md\n```js\n````\n\nend', '```js\n'],
  ['unclosed', '```md\n```js\n1\n```\nx', '```js\n1\n```\nx\n'],
])('nested fences: %s', (_, text, code) => {
  expect(html(text)).toContain(`<pre><code class="language-m${/```m(\w+)/.exec(text)?.[1]}">${code}</code></pre>`);
});

test('text without these extensions is parsed as `marked` does', () => {
  const guides = readdirSync(join(root, 'docs/guides')).map((name) => readFileSync(join(root, 'docs/guides', name), 'utf8'));
  expect(guides.length).toBeGreaterThan(20);
  for (const text of guides.filter((text) => !text.includes('$'))) expect(lexMarkdown(text)).toEqual(new Lexer({ gfm: true }).lex(text));
});
