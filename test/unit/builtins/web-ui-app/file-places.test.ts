// Tests parsing of file references, summaries of tool calls, diff hunks, table cells and preview kinds.
import { expect, test } from 'vitest';
import { readFileLocation, splitAtLocations } from '../../../../builtins/clients/web-ui/app/kit/file-location.ts';
import { summarizeCalls } from '../../../../builtins/clients/web-ui/app/chat/transcript/tools/call-summary.ts';
import { previewKindOf } from '../../../../builtins/tools/files/ui/file-kind.ts';
import { readTable } from '../../../../builtins/tools/files/ui/read-table.ts';
import { hunksOf } from '../../../../plugins/lib/diff-parts.ts';

test('recognizes file references in text', () => {
  expect(readFileLocation('src/app.ts:12')).toEqual({ path: 'src/app.ts', line: 12 });
  expect(readFileLocation('src/app.ts:12-20')).toEqual({ path: 'src/app.ts', line: 12 });
  expect(readFileLocation('./app.ts#L7')).toEqual({ path: 'app.ts', line: 7 });
  expect(readFileLocation('README.md')).toEqual({ path: 'README.md' });
  expect(readFileLocation('docs/Makefile')).toEqual({ path: 'docs/Makefile' });
  for (const none of ['console.log', 'a.b', 'v1.2', '../secret.ts', 'https://a.b/c.ts', 'npm test', '/etc/passwd', 'x'.repeat(600)]) {
    expect(readFileLocation(none), none).toBeUndefined();
  }
  expect(splitAtLocations('in src/a.ts:5, not localhost.dev:80')).toEqual([
    'in ',
    { path: 'src/a.ts', line: 5, text: 'src/a.ts:5' },
    ', not ',
    'localhost.dev:80',
    '',
  ]);
  expect(splitAtLocations('nothing')).toEqual(['nothing']);
});

test('summarizes tool calls in words', () => {
  const call = (icon: string, path: string, name = 'tool', state = 'ok'): never => ({ icon, name, args: { path }, state }) as never;
  expect(summarizeCalls([call('file-edit', 'src/app.js')])).toBe('Edited app.js');
  expect(summarizeCalls([call('file', 'a'), call('file', 'b'), call('file', 'b'), call('terminal', ''), call('search', ''), call('search', '')])).toBe(
    'Viewed 2 files, ran 1 command, searched 2 times',
  );
  expect(summarizeCalls([call('brain', '', 'remember'), call('brain', '', 'remember')])).toBe('Remember 2 times');
  const denied = [call('terminal', '', 'run', 'denied'), call('terminal', '', 'run', 'waiting')];
  expect([summarizeCalls(denied), summarizeCalls([...denied, call('terminal', '')])]).toEqual(['2 commands', 'Ran 1 command']);
});

test('splits a diff into one diff per hunk', () => {
  const head = '--- a\n+++ a\n';
  const [first, second] = ['@@ -1,2 +1,2 @@\n-@@ -x\n+b\n c', '@@ -9 +9 @@\n-d\n+e'];
  expect(hunksOf(`${head}${first}\n${second}`)).toEqual([
    { diff: `${head}${first}`, line: 1 },
    { diff: `${head}${second}`, line: 9 },
  ]);
});

test('reads table cells with quotes and other separators up to a row limit', () => {
  expect(readTable('a,b\r\n"x, ""y""\nz",2\n', undefined, 10)).toEqual({
    rows: [
      ['a', 'b'],
      ['x, "y"\nz', '2'],
    ],
    isCut: false,
  });
  expect(readTable('a;b\n1;2', undefined, 10).rows).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ]);
  expect(readTable('a\n1\n2\n3\n', undefined, 1)).toEqual({ rows: [['a'], ['1']], isCut: true });
});

test('chooses the preview kind by content before file name', () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  expect(previewKindOf('a.html', bytes('%PDF-1.7'))).toBe('pdf');
  expect(previewKindOf('a.HTML', bytes('<p>'))).toBe('sealed');
  expect(previewKindOf('a.svg', bytes('<svg>'))).toBe('drawing');
  expect(previewKindOf('a.ts', bytes('x'))).toBeUndefined();
});
