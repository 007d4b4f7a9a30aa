import fc from 'fast-check';
import { expect, test } from 'vitest';
import { longestFirst, longestLater, packAll, createSegmentPacker } from '../../../../builtins/voice/speech/spoken/pack-segments.ts';
import { createSpokenReader } from '../../../../builtins/voice/speech/spoken/read-blocks.ts';
import type { SpokenSentence } from '../../../../builtins/voice/speech/spoken/sentence-buffer.ts';
import { runs } from '../../../helpers/dice.ts';

function read(text: string, sizes: readonly number[] = [text.length + 1]): SpokenSentence[] {
  const reader = createSpokenReader();
  const said: SpokenSentence[] = [];
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    said.push(...reader.add(text.slice(at, at + size)));
    at += size;
  }
  return [...said, ...reader.end()];
}
const say = (text: string): string[] => read(text).map((sentence) => sentence.text);

test.each([
  ['Hello there. How are you? Fine!', ['Hello there.', 'How are you?', 'Fine!']],
  ['Dr. Smith met Mr. J. Doe, e.g. at 10 a.m. on Monday.', ['Dr. Smith met Mr. J. Doe, e.g. at 10 a.m. on Monday.']],
  ['It ended at 5 p.m. Then we left.', ['It ended at 5 p.m.', 'Then we left.']],
  ['Version 3.14 is out. It costs $5.50 and $6. Good.', ['Version 3.14 is out.', 'It costs $5.50 and $6.', 'Good.']],
  ['She said "Stop!" and left. "Why?" He knew.', ['She said "Stop!" and left.', '"Why?"', 'He knew.']],
  ['Well... and then. Well... And then.', ['Well... and then.', 'Well...', 'And then.']],
  ['No. 5 is alive. No. Never.', ['No. 5 is alive.', 'No.', 'Never.']],
  ['你好。世界！行吗？', ['你好。', '世界！', '行吗？']],
  ['ما هذا؟ هذا كتاب.', ['ما هذا؟', 'هذا كتاب.']],
  ['यह है। वह है।', ['यह है।', 'वह है।']],
])('splits %j into sentences', (text, sentences) => {
  expect(say(text)).toEqual(sentences);
});

test.each([
  ['**Bold.** And *italic* ~~gone~~ __too__.', 'Bold. And italic gone too.'],
  ['See [the docs](https://a.b/c_d.e?f=g) now.', 'See the docs now.'],
  ['Go to https://www.example.com/a/b.html?x=1. Then stop.', 'Go to a link to example.com. Then stop.'],
  ['<https://example.org/long/path>', 'a link to example.org.'],
  ['Mail <mailto:me@example.org> or me@example.org.', 'Mail me@example.org or me@example.org.'],
  ['![a cat](cat.png) ![](b.png)', 'image: a cat image.'],
  ['Edit `src/app/read_file.test.ts` first.', 'Edit read file dot test dot ts first.'],
  ['Edit src/app/main.ts first.', 'Edit main dot ts first.'],
  ['Call `buildAll()` or run `npm run build`.', 'Call build All or run npm run build.'],
  ['The `const aVeryLongLine = of(code, that, nobody, wants, to, hear, in, full);` is long.', 'The some code is long.'],
  ['Done 🎉🚀 👩‍💻 🇩🇪 1️⃣!', 'Done 1!'],
  ['Fish &amp; chips, 3 &lt; 4<br>and <b>more</b>.', 'Fish & chips, 3 < 4 and more.'],
  ['So $x^2 + \\frac{1}{2} = y$ holds, and \\(\\sqrt{a} \\leq b\\).', 'So x squared plus 1 over 2 equals y holds, and the square root of a is at most b.'],
  ['A note[^1] and a source [3] here【4†a】.', 'A note and a source here.'],
  ['Input -> output → end => stop.', 'Input to output to end to stop.'],
])('reads %j as %j', (text, words) => {
  expect(say(text).join(' ')).toBe(words);
});

test('reads headings, list items, tables, code and formulas by type', () => {
  const text = [
    ...['# Title 🚀', '', 'A paragraph that', 'goes on.', '1. First `x.y()`', '   ```ts', '   const a = 1;', '', '   const b = 2;', '   ```', '2. Second'],
    ...['- [ ] open', '- [x] closed', '', '| Name | Price |', '|---|---:|', '| a | 1 |', '| b | 2 |', '', 'Key | Value', '--- | ---', 'x | 1', '', '$$'],
    ...['a + b', '$$', '~~~', 'one', '~~~', '> Quoted words.', '<!-- not', 'this -->', '[ref]: https://example.org', 'Not a | table. Still not.', ''],
    ...['    indented', '    code', '---', 'End'],
  ].join('\n');
  expect(say(text)).toEqual([
    ...['Title.', 'A paragraph that goes on.', '1. First x dot y.', 'Code, 3 lines.', '2. Second.', 'To do: open.', 'Done: closed.'],
    ...['A table with 2 rows: Name, Price.', 'A table with 1 row: Key, Value.', 'A formula.', 'Code, 1 line.', 'Quoted words.', 'Not a table.', 'Still not.'],
    ...['Code, 2 lines.', 'End.'],
  ]);
});

test('emits a sentence as soon as it is complete', () => {
  const reader = createSpokenReader();
  expect(reader.add('The first sentence is')).toEqual([]);
  expect(reader.add(' here.')).toEqual([]);
  expect(reader.add(' ')).toEqual([{ text: 'The first sentence is here.', end: 27 }]);
  expect(reader.add('The second')).toEqual([]);
  expect(reader.end()).toEqual([{ text: 'The second.', end: 38 }]);
});

const blocks = fc.constantFrom(
  'A sentence with words. ',
  'Is it? Yes! ',
  'Dr. No said "Go!" and left. ',
  '\n\n',
  '\n',
  '# Head\n',
  '- item one\n',
  '3. item [x](http://a.b/c.d) `code.x`\n',
  '- [ ] to do\n',
  '```js\nlet a = "```";\n\nb();\n```\n',
  '~~~\nx\n~~~\n',
  '| a | b |\n|---|---|\n| 1 | 2 |\n',
  'a | b\n',
  '> quoted. ',
  '$x^2$ ',
  '$$\nx\n$$\n',
  '**bold. more** ',
  '`',
  '[',
  '](',
  '<!-- c -->\n',
  '    four\n',
  '1. ',
  '...',
  ' etc. ',
  '你好。',
  '👩‍💻',
  '\\(a.b\\) ',
  'https://a.b/c. ',
  '---\n',
  '\r\n',
);

test('emits the same sentences for any chunking of the text', () => {
  fc.assert(
    fc.property(fc.array(blocks, { maxLength: 40 }), fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 }), (parts, sizes) => {
      const text = parts.join('');
      const whole = read(text);
      expect(read(text, sizes).map((sentence) => sentence.text)).toEqual(whole.map((sentence) => sentence.text));
      let last = 0;
      for (const { end } of whole) {
        expect(end).toBeGreaterThanOrEqual(last);
        last = end;
      }
      expect(last).toBeLessThanOrEqual(text.length);
    }),
    runs(1_000),
  );
});

test('packs every sentence once and in order into segments within the length limits', () => {
  const sentence = fc
    .tuple(fc.stringMatching(/^[A-Z][a-z]{0,9}( [a-z]{1,10}){0,90}$/), fc.constantFrom('.', '?', ', and so on.'))
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.array(sentence, { minLength: 1, maxLength: 30 }), (sentences) => {
      const segments = packAll(sentences.map((text, index) => ({ text, end: index })));
      expect(segments.map(({ text }) => text).join(' ')).toBe(sentences.join(' '));
      expect(segments[0]?.text.length).toBeLessThanOrEqual(longestFirst);
      for (const { text } of segments) expect(text.length).toBeLessThanOrEqual(longestLater);
    }),
  );
});

test('packs sentences that arrive during playback into the next segment', () => {
  const packer = createSegmentPacker();
  const add = (...texts: string[]): void => packer.add(texts.map((text) => ({ text, end: 0 })));
  add('One is here.');
  expect(packer.take()?.text).toBe('One is here.');
  expect(packer.take()).toBeUndefined();
  add('Two.', 'Three.');
  add('Four.');
  expect(packer.take()?.text).toBe('Two. Three. Four.');
  expect(packer.isEmpty).toBe(true);
});

test('reads every letter of long text with many unterminated constructs', () => {
  const lettersOf = (text: string): string => text.replace(/[^a-z]/gi, '');
  for (const unit of ['Words and words. ', 'no end ', 'a ` b ', '[a](b ', 'a | b. ', '\\( a. ', '<a ', '- ', '1.2 e.g. ', '> > ']) {
    const text = unit.repeat(Math.ceil(40_000 / unit.length));
    const sentences = read(text, [20]).map((sentence) => sentence.text);
    expect(lettersOf(sentences.join('')), unit).toBe(lettersOf(text));
  }
});
