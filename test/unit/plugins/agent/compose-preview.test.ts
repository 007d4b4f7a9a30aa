import { expect, test } from 'vitest';
import { createComposeScanner } from '../../../../plugins/agent/compose-preview.ts';

const args = { nested: { content: 'not this', list: ['}', '"'] }, path: 'dir/ä"b\\.txt', n: 1.5, content: 'line 1\nline "2"\t\u2028 😀 end', mode: null };
const json = JSON.stringify(args).replace('ä', '\\u00e4');

test('returns the content once and complete, with the path, however the JSON text is split', () => {
  for (let size = 1; size < json.length; size++) {
    const scan = createComposeScanner('path', ['content']);
    let text = '';
    let last;
    for (let at = 0; at < json.length; at += size) {
      const delta = scan(json.slice(at, at + size));
      if (!delta) continue;
      expect(delta.offset).toBe(text.length);
      text += delta.delta;
      last = delta;
    }
    expect(text).toBe(args.content);
    expect(last).toMatchObject({ path: args.path, done: true, lines: 2 });
  }
});

test('joins the texts of a list with line breaks and completes with the list', () => {
  const edits = [
    { search: 'a', replace: 'one\ntwo', all: true },
    { replace: 'three', search: '"replace":"x"' },
  ];
  const text = JSON.stringify({ path: 'a.txt', edits, replace: 'not this' });
  for (const size of [1, 2, 7, 1_000]) {
    const scan = createComposeScanner('path', ['edits.replace', 'patch']);
    const deltas = Array.from({ length: Math.ceil(text.length / size) }, (_, at) => scan(text.slice(at * size, (at + 1) * size))).filter(
      (one) => one !== undefined,
    );
    expect(deltas.map((one) => one.delta).join('')).toBe('one\ntwo\nthree');
    expect(deltas.at(-1)).toMatchObject({ path: 'a.txt', lines: 3, done: true });
    if (size === 1) expect(deltas.at(-2)).toMatchObject({ done: false });
  }
});
