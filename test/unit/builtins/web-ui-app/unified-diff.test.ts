import { parseDiff } from 'react-diff-view';
import { expect, it } from 'vitest';
import { readDiff } from '../../../../plugins/lib/unified-diff.ts';

const hunk = '@@ -1,3 +1,3 @@\n one\n-two\n+2\n three';

it('counts the changes of a diff and adds the header that the parser requires', () => {
  const read = readDiff(`--- a.ts\n+++ a.ts\n${hunk}`, 'a.ts');
  expect(read).toMatchObject({ added: 1, removed: 1, note: '' });
  expect(parseDiff(read?.diff ?? '')).toMatchObject([{ type: 'modify', hunks: [{ changes: { length: 4 } }] }]);
});

it('parses a diff without a header, of a new file and of several files', () => {
  expect(parseDiff(readDiff(hunk, 'a.ts')?.diff ?? '')[0]?.hunks).toHaveLength(1);
  expect(parseDiff(readDiff('--- /dev/null\n+++ b.ts\n@@ -0,0 +1,2 @@\n+one\n+two')?.diff ?? '')).toMatchObject([{ type: 'add' }]);
  const git = (name: string): string => `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n${hunk}`;
  expect(parseDiff(readDiff(`${git('x')}\n${git('y')}`)?.diff ?? '').map((file) => file.newPath)).toEqual(['x', 'y']);
});

it('separates the note of a truncated diff', () => {
  expect(readDiff(`--- a\n+++ a\n${hunk}\n… [the diff goes on]`)).toMatchObject({ note: '… [the diff goes on]', added: 1 });
});

it.each(['Changed a.ts.', '', '@@ is no hunk', 'words\nand more\n@@ -1 +1 @@\n-a\n+b', '--- a\n+++ b'])('does not read %j as a diff', (text) => {
  expect(readDiff(text)).toBeUndefined();
});
