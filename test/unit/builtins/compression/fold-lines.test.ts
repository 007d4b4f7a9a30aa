import { expect, test } from 'vitest';
import { foldLines } from '../../../../builtins/turn/compression/fold-lines.ts';

const line = (index: number): string => `- read_log({"page":${index}}) ok: request ${index} served in ${index * 3} ms`;

test('keeps lines that fit', () => {
  const lines = [line(1), line(2), line(3)];
  expect(foldLines(lines, 1_000)).toEqual(lines);
});

test('folds lines that differ only in numbers into one with a count', () => {
  const folded = foldLines(
    Array.from({ length: 50 }, (_, index) => line(index)),
    1_000,
  );
  expect(folded).toEqual([`${line(0)} (and 48 more like this)`, line(49)]);
});

test('keeps unique lines in their place', () => {
  const words = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta'];
  const lines = Array.from(
    { length: 400 },
    (_, index) => `- grep(${words[index % 7]} ${words[(index * 3) % 7]} ${words[Math.floor(index / 49) % 7]}) ok: nothing found`,
  );
  lines[120] = '- read_file(notes.md) ok: the vault opens with KESTREL at midnight';
  lines[300] = '- run_command(deploy) failed: quota exhausted on cluster-nine';
  const folded = foldLines(lines, 2_000);
  expect(folded.join('\n').length).toBeLessThanOrEqual(2_100);
  expect(folded.indexOf(lines[120])).toBeGreaterThanOrEqual(0);
  expect(folded.indexOf(lines[300])).toBeGreaterThan(folded.indexOf(lines[120]));
  expect(folded.at(-1)).toMatch(/more lines omitted/);
});
