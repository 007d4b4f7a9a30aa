import { expect, test } from 'vitest';
import { createCodeColors, noColors, type CodeColors } from '../../../../builtins/clients/tui/rows/syntax-highlighter.ts';
import { createMarkdownStream } from '../../../../builtins/clients/tui/rows/stream-markdown.ts';
import { styles, textOf, type Row } from '../../../../builtins/clients/tui/screen/spans.ts';

function loaded(): Promise<CodeColors> {
  return new Promise((resolve) => {
    const colors = createCodeColors(() => resolve(colors));
    expect(colors.begin('ts')).toBe('coming');
  });
}

const styleOf = (rows: readonly Row[], text: string): string | undefined => rows.flat().find((span) => span.text.includes(text))?.style;

function stream(text: string, colors: CodeColors, pieces = 7): Row[] {
  const words = createMarkdownStream(colors);
  const rows: Row[] = [];
  for (let at = pieces; at < text.length; at += pieces) rows.push(...words.take(text.slice(0, at), false, 80).commits);
  rows.push(...words.take(text, true, 80).commits);
  return rows;
}

const code = "/* a comment\n * const of two lines */\nconst name = `a ${1 + 2} b`;\nif (name) call('it', 12);\n";
const text = `Look:\n\n\`\`\`ts\n${code}\`\`\`\n\nThat is it.`;

test('highlights streamed code without changing its text', async () => {
  const rows = stream(text, await loaded());
  expect(rows.map(textOf)).toEqual(stream(text, noColors).map(textOf));
  expect(styleOf(rows, 'a comment')).toBe(styles.dim);
  expect(styleOf(rows, '* const of two lines')).toBe(styles.dim);
  expect(styleOf(rows, 'if')).toBe(styles.magenta);
  expect(styleOf(rows, "'it'")).toBe(styles.green);
  expect(styleOf(rows, '12')).toBe(styles.yellow);
  expect(styleOf(rows, 'That is it.')).toBe(styles.plain);
  const colors = await loaded();
  expect(stream(text, colors, text.length)).toEqual(rows);
  expect(stream(text, colors, 1)).toEqual(rows);
});

test('holds back a code block until its highlighter is loaded', async () => {
  let isThere = false;
  const real = await loaded();
  const words = createMarkdownStream({ begin: (language) => (isThere ? real.begin(language) : 'coming') });
  const early = words.take(text, true, 80);
  expect(words.isHeld).toBe(true);
  expect(early.commits.map(textOf)).toEqual(['Look:', '', '```ts']);
  expect(early.live.map(textOf).join('\n')).toContain('const name');
  isThere = true;
  const { commits, live } = words.take(text, true, 80);
  expect([words.isHeld, live]).toEqual([false, []]);
  expect([...early.commits, ...commits]).toEqual(stream(text, real));
});

test('highlights code in a list and leaves unknown languages and overlong lines plain', async () => {
  const colors = await loaded();
  expect(styleOf(stream('- so:\n\n  ```py\n  def f(): pass\n  ```\n- two', colors), 'def')).toBe(styles.magenta);
  expect(stream('```nobody\nif (x)\n```', colors)).toEqual(stream('```nobody\nif (x)\n```', noColors));
  const endless = `\`\`\`js\nconst a = "${'x'.repeat(2_000)}";\nconst b = 1;\n\`\`\``;
  expect(stream(endless, colors, 100)).toEqual(stream(endless, noColors, 100));
});

test('limits the cost of re-highlighting an unterminated comment', async () => {
  const colors = await loaded();
  const lines = Array.from({ length: 4_000 }, (_, at) => `line ${at} of a comment that goes on`);
  const before = process.cpuUsage();
  const rows = stream(`\`\`\`c\n/*\n${lines.join('\n')}\n*/\n\`\`\``, colors, 120);
  const { user } = process.cpuUsage(before);
  expect(rows.map(textOf)).toEqual(['```c', '/*', ...lines, '*/', '```']);
  expect(styleOf(rows, 'line 5 ')).toBe(styles.dim);
  expect(user / 1_000).toBeLessThan(2_000);
});

test('removes control sequences from code', async () => {
  const rows = stream('```sh\necho "\u001b[2J"\u001b]0;x\u0007 \u202e # \u009b3J\n```', await loaded(), 3);
  expect(rows.map(textOf).join('\n')).toBe('```sh\necho "[2J"]0;x  # 3J\n```');
});
