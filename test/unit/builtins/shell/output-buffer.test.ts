// Tests incremental reads of a running command's output: complete, without repetition, at any chunk boundary.
import { expect, test } from 'vitest';
import { createOutputBuffer } from '../../../../builtins/tools/shell/output-buffer.ts';

const sample = 'café ☕ 🎉\u001b[1;31mred\u001b[0m\u001b]0;title\u0007\r\n안녕 �end';

test.each([0, 8, 1_000])('returns the full output across any chunk boundary (head of %i bytes)', (headBytes) => {
  const bytes = Buffer.from(sample);
  for (let step = 1; step <= 5; step++) {
    const output = createOutputBuffer(headBytes, 10_000);
    let position = 0;
    let read = '';
    for (let at = 0; at < bytes.length; at += step) {
      output.add(bytes.subarray(at, at + step));
      const { text, next } = output.since(position, false);
      expect(text).not.toMatch(/\u001b\[?[\d;]*$|\u001b\]\d*$/);
      read += text;
      position = next;
    }
    read += output.since(position, true).text;
    expect(read).toBe(sample);
  }
});

test('reports the number of dropped bytes and splits no character at the gap', () => {
  const output = createOutputBuffer(4, 6);
  output.add(Buffer.from('abcé0123456789é€x'));
  expect(output.since(0, true).text).toBe('abc\n[… 11 bytes discarded …]\né€x');
  expect(output.text()).toBe('abc\n[… 11 bytes discarded …]\né€x');
});

test('emits an incomplete character at the end of output and does not hold back an endless escape sequence', () => {
  const output = createOutputBuffer(0, 100_000);
  output.add(Buffer.from([0x61, 0xc3]));
  expect(output.since(0, false)).toEqual({ text: 'a', next: 1 });
  expect(output.since(1, false)).toEqual({ text: '', next: 1 });
  expect(output.since(1, true)).toEqual({ text: '\uFFFD', next: 2 });
  output.add(Buffer.from(`\u001b]${'x'.repeat(5_000)}`));
  expect(output.since(2, false).next).toBe(output.total);
});
