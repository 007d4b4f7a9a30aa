import { expect, test } from 'vitest';
import { createMarkdownStream } from '../../../../builtins/clients/tui/rows/stream-markdown.ts';
import { textOf } from '../../../../builtins/clients/tui/screen/spans.ts';

function linesOf(text: string, pieces: number, columns = 60): string[] {
  const stream = createMarkdownStream();
  const lines: string[] = [];
  const take = (end: number): void => void lines.push(...stream.take(text.slice(0, end), end >= text.length, columns).commits.map(textOf));
  for (let at = pieces; at < text.length; at += pieces) take(at);
  take(text.length);
  return lines;
}

test.each([
  ['a block of mathematics', '$$\n\\frac{a_1}{b_2} \\\\ *x* _y_\n$$', ['$$', '\\frac{a_1}{b_2} \\\\ *x* _y_', '$$']],
  ['a block with other delimiters', '\\[\na_{i} * b_{j} * c\n\\]\n\nThen.', ['\\[', 'a_{i} * b_{j} * c', '\\]', '', 'Then.']],
  ['inline mathematics', 'So $a_1 *b* \\{x\\}$ and \\(y_2 \\\\ *z*\\) hold.', ['So $a_1 *b* \\{x\\}$ and \\(y_2 \\\\ *z*\\) hold.']],
  ['amounts of money', 'It is $5, *not* $6.', ['It is $5, not $6.']],
  ['an unclosed formula', 'The cost of $x is *high*.\n\nNext.', ['The cost of $x is high.', '', 'Next.']],
  ['a diagram', '```mermaid\ngraph TD\n  A-->B\n```', ['```mermaid', 'graph TD', '  A-->B', '```']],
  ['a table that fits', '| a | b |\n|---|--:|\n| one | 2 |', ['a    b', '───  ─', 'one  2']],
])('renders %s as plain rows', (_what, text, lines) => {
  for (const pieces of [1, 5, 1_000]) expect(linesOf(text, pieces)).toEqual(lines);
});

test('renders a table that is too wide row by row with the column name before each cell', () => {
  const text = `| name | what it does |\n|---|---|\n| first | ${'word '.repeat(12)}|\n| second | little |`;
  expect(linesOf(text, 1_000, 40)).toEqual([
    ...['name: first', 'what it does: word word word word word', '  word word word word word word word', '', 'name: second', 'what it does: little'],
  ]);
});
