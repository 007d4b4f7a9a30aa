// Tests the rendering of markdown blocks.
import { join } from 'node:path';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';

// Imported by path because the page has its own TypeScript settings with DOM types.
const file = join(import.meta.dirname, '../../../../builtins/clients/web-ui/app/kit/markdown/read-markdown.tsx');
const { readMarkdown } = (await import(file)) as {
  readMarkdown(text: string, more: { readonly definitions: string; readonly notes: readonly string[] }): ReactNode;
};

const html = (text: string, definitions = '', notes: readonly string[] = []): string =>
  renderToStaticMarkup(readMarkdown(text, { definitions, notes })).replaceAll(' dir="auto"', '');

test('renders text, emphasis, code, line breaks and entities', () => {
  expect(html('a **b *c*** ~~d~~ `e&amp;<f>`  \ng \\* &amp; &copy; &#x41;&nosuch; <i>h</i>')).toBe(
    '<p>a <strong>b <em>c</em></strong> <del>d</del> <code>e&amp;amp;&lt;f&gt;</code><br/>g * &amp; © A&amp;nosuch; &lt;i&gt;h&lt;/i&gt;</p>',
  );
});

test('renders all heading levels as h3 with a class per level', () => {
  expect(html('# A\n\n##### B')).toBe('<h3 class="md-h1">A</h3><h3 class="md-h4">B</h3>');
});

test('renders tight, loose, numbered, nested and task lists', () => {
  expect(html('- a\n- b')).toBe('<ul><li>a</li><li>b</li></ul>');
  expect(html('3. a\n\n4. b')).toBe('<ol start="3"><li><p>a</p></li><li><p>b</p></li></ol>');
  expect(html('- a\n  1. b\n     > c')).toBe('<ul><li>a<ol start="1"><li>b<blockquote><p>c</p></blockquote></li></ol></li></ul>');
  expect(html('- [x] a')).toBe('<ul><li class="task-list-item"><input type="checkbox" disabled="" readOnly="" aria-label="done" checked=""/>a</li></ul>');
});

test('renders table alignment and inline markup in cells', () => {
  expect(html('| a | b |\n|---|--:|\n| **1** | `2` |')).toContain(
    '<thead><tr><th>a</th><th style="text-align:right">b</th></tr></thead><tbody><tr><td><strong>1</strong></td><td style="text-align:right"><code>2</code></td></tr></tbody>',
  );
});

test('renders only http and mailto links and shows others as text', () => {
  expect(html('[a](https://example.com/x?y&amp;z)')).toContain('href="https://example.com/x?y&amp;z"');
  expect(html('https://example.com/auto')).toContain('href="https://example.com/auto"');
  expect(html('[a][1] and [b]', '[1]: https://one.example/\n[b]: https://two.example/')).toMatch(/one\.example.*two\.example/);
  for (const address of ['javascript:alert(1)', '&#106;avascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', '/x', '#x'])
    expect(html(`[a](${address})`)).toBe('<p><span>a</span></p>');
});

test('loads a remote image only after a click', () => {
  expect(html('![a](https://example.com/p.png)')).toMatch(/^<p><button .*Load image from example\.com/);
  expect(html('![a](p.png)')).toBe('<p><span class="muted">a</span></p>');
});

test('renders HTML as text', () => {
  expect(html('<div onclick="x()">\n<script>y()</script>\n</div>')).toBe(
    '<p class="md-plain">&lt;div onclick=&quot;x()&quot;&gt;\n&lt;script&gt;y()&lt;/script&gt;\n&lt;/div&gt;</p>',
  );
});

test('renders footnote references as numbers, except in code', () => {
  expect(html('a[^x] b[^y] `[^x]` [^z]', '', ['y', 'x'])).toBe('<p>a<sup>2</sup> b<sup>1</sup> <code>[^x]</code> [^z]</p>');
});

test('recognizes formulas and not amounts of money', () => {
  const formulas = (text: string): string[] => [...html(text).matchAll(/<code class="md-formula-source[^>]*>([^<]*)<\/code>/g)].map(([, tex = '']) => tex);
  expect(formulas('so $a_1*b$ and \\(x*y\\), $\\{z\\}$, then $$e^x$$ and \\[f\\] *here*')).toEqual(['$a_1*b$', '\\(x*y\\)', '$\\{z\\}$', '$$e^x$$', '\\[f\\]']);
  expect(formulas('Euler says\n$$\ne^{i\\pi} \\\\ _1_\n$$\nand\n\\[\nx\n\\]\n- $2x + 1$ in a list')).toEqual([
    '$$\ne^{i\\pi} \\\\ _1_\n$$',
    '\\[\nx\n\\]',
    '$2x + 1$',
  ]);
  for (const text of [
    ...['between $5 and $6', '$5 off, or 6$ more', 'US$5 and US$6', '$HOME/bin:$PATH', '`$x$`', '\\$5 and 6\\$', '$5-$6', '$1,000,$2,000', 'a $ b $ c'],
    'I have $5 and you have 6$ now',
  ]) {
    expect([text, formulas(text)]).toEqual([text, []]);
  }
  expect(html('between $5 and $6')).toBe('<p>between $5 and $6</p>');
});
