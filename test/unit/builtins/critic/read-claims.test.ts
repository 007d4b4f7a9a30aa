import { expect, test } from 'vitest';
import { isWorthChecking, readClaims } from '../../../../builtins/turn/critic/read-claims.ts';
import { cpuMsOf } from '../../../helpers/cpu-time.ts';

test.each<[string, string[]]>([
  ['I changed `src/a.ts` and ./lib/b.py:12.', ['src/a.ts', 'lib/b.py']],
  ['See `notes.md` and (docs/guide/x.md), then `package.json:3-9`.', ['docs/guide/x.md', 'notes.md', 'package.json']],
  ['Twice: src/a.ts and `src/a.ts`.', ['src/a.ts']],
  ['Call `console.log`, use Node.js or `Next.js`, send application/json and/or text/event-stream.', []],
  ['It is at https://example.com/src/a.ts and http://localhost:3000/index.html.', []],
  ['All of src/**/*.ts, ~/notes.md and a name.md alone.', []],
  ['I deleted `src/old.ts` and renamed `src/b.ts`.', []],
  ['You could create `src/new.ts`.', []],
  ['There is no file src/gone.ts.', []],
  ['I changed `src/missing.ts` and test/would.test.ts.', ['src/missing.ts', 'test/would.test.ts']],
])('reads the files that "%s" claims to exist', (text, paths) => {
  expect(readClaims(text).paths).toEqual(paths);
});

test.each<[string, string[]]>([
  ['In `src/a.ts`:\n```ts\nlet a = 1;\n```', ['src/a.ts']],
  ['```ts src/a.ts\nlet a = 1;\n```', ['src/a.ts']],
  ['```ts title="src/a.ts"\nlet a = 1;\n```', ['src/a.ts']],
  ['~~~ts:src/a.ts\nlet a = 1;\n~~~', ['src/a.ts']],
  ['From `src/a.ts` to `src/b.ts`:\n```ts\nlet a = 1;\n```', []],
  ['You could change `src/a.ts` like this:\n```ts\nlet a = 1;\n```', []],
  ['In `src/a.ts`:\n```diff\n+let a = 1;\n```', []],
  ['Run in `src/a.ts`:\n```sh\nls\n```', []],
  ['In `src/a.ts`:\n```ts\nlet a = 1;', []],
])('reads the file of each quoted code block: %j', (text, paths) => {
  expect(readClaims(text).snippets.map((snippet) => snippet.path)).toEqual(paths);
});

test('ignores paths inside a code block and handles nested fences', () => {
  const claims = readClaims('````md\n```ts\nimport "src/x.ts";\n```\n````\nand src/y.ts');
  expect(claims).toEqual({ paths: ['src/y.ts'], snippets: [], codeLines: 3 });
});

test('only answers with several files or with code are worth a check', () => {
  const isWorth = (text: string): boolean => isWorthChecking(readClaims(text));
  expect([isWorth('All good.'), isWorth('See src/a.ts.'), isWorth('```\none\n```')]).toEqual([false, false, false]);
  expect([isWorth('See src/a.ts and src/b.ts.'), isWorth('```\na\nb\nc\n```'), isWorth('See src/a.ts:\n```ts\nx\n```')]).toEqual([true, true, true]);
});

test('reads a huge answer in less than a second of CPU time', async () => {
  const text = `${'a/'.repeat(100_000)} ${'`'.repeat(50_000)} ${'x.'.repeat(50_000)}`;
  expect(await cpuMsOf(() => readClaims(text))).toBeLessThan(1_000);
});
