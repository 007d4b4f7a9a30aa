import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import * as files from '../../../../builtins/tools/files/index.ts';
import { openToolBench } from './tool-bench.ts';
import { cpuMsOf } from '../../../helpers/cpu-time.ts';
import { useEach } from '../../../helpers/use-opened.ts';

async function put(contents: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(contents)) {
    await mkdir(dirname(join(bench.workspace, path)), { recursive: true });
    await writeFile(join(bench.workspace, path), content);
  }
}
const find = async (pattern: string, more: object = {}): Promise<string[]> => (await bench.output('find_files', { pattern, ...more })).split('\n');

const bench = useEach(() => openToolBench({ modules: { files } }));

test('lists a folder as a tree without ignored files', async () => {
  await put({ '.gitignore': 'out/\n*.log\n', 'a.txt': '12345', 'src/b.ts': '', 'src/deep/c.ts': '', 'out/x': '', 'b.log': '', '.git/HEAD': '' });
  await symlink('a.txt', join(bench.workspace, 'link'));
  const body = './\n  .gitignore  11\n  a.txt  5\n  link@\n  src/';
  expect(await bench.output('list_dir', {})).toBe(`${body}\n\n[2 ignored by .gitignore; showIgnored: true shows them]`);
  expect(await bench.output('list_dir', { path: 'src', depth: 2 })).toBe('src/\n    b.ts  0\n    deep/\n      c.ts  0'.replace(/^ {2}/gm, ''));
  expect(await bench.output('list_dir', { showIgnored: true })).toContain('b.log');
  expect(await bench.error('list_dir', { path: 'a.txt' })).toContain('is not a folder');
});

test('globs match at any depth, by folder and with alternatives', async () => {
  await put({ 'a.ts': '', 'src/b.ts': '', 'src/b.tsx': '', 'src/deep/c.ts': '', 'docs/a.md': '', 'docs/sub/b.md': '', 'x[1].txt': '' });
  expect(await find('*.ts')).toEqual(['a.ts', 'src/b.ts', 'src/deep/c.ts']);
  expect(await find('src/*.{ts,tsx}')).toEqual(['src/b.ts', 'src/b.tsx']);
  expect(await find('src/**/*.ts')).toEqual(['src/b.ts', 'src/deep/c.ts']);
  expect(await find('docs/**')).toEqual(['docs/a.md', 'docs/sub/b.md']);
  expect(await find('*.ts', { path: 'src' })).toEqual(['src/b.ts', 'src/deep/c.ts']);
  expect(await find('[ab].??')).toEqual(['a.ts', 'docs/a.md', 'docs/sub/b.md', 'src/b.ts']);
  expect(await find('x\\[1].txt')).toEqual(['x[1].txt']);
  expect((await find('**', { limit: 2 })).at(-1)).toBe('[5 more match; narrow the pattern or raise limit]');
  expect(await find('nothing')).toEqual(['No file matches nothing.']);
});

test('matches a pathological glob quickly', async () => {
  await put({ [`${'a'.repeat(200)}.txt`]: '' });
  const spent = await cpuMsOf(async () => {
    await find(`${'*a'.repeat(60)}b`);
    await find(`${'**/'.repeat(60)}x`);
    await find('{a,b}'.repeat(40));
  });
  expect(spent).toBeLessThan(1500);
});

test('ignores the same files as git, including nested files and negations', async () => {
  await put({
    '.gitignore': '# comment\nbuild\n/top.txt\n*.log\n!keep.log\ndocs/*.tmp\n\\#hash\nspace\\ \nAbC\n',
    'sub/.gitignore': '!build\n/anchored\ndeep/*.x\n*.y\n!important.y\n',
    'a[b/.gitignore': 'c\n',
  });
  const paths = [
    ...['build/a', 'x/build/b', 'top.txt', 'x/top.txt', 'a.log', 'keep.log', 'x/keep.log', 'docs/a.tmp', 'docs/s/a.tmp', '#hash', 'space ', 'abc', 'AbC'],
  ];
  paths.push(
    'sub/build/c',
    'sub/build/d.log',
    'sub/anchored',
    'sub/x/anchored',
    'sub/deep/a.x',
    'sub/x/deep/a.x',
    'sub/a.y',
    'sub/x/important.y',
    'a[b/c',
    'ab/c',
  );
  await put(Object.fromEntries(paths.map((path) => [path, ''])));
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: bench.workspace, encoding: 'utf8' });
  git('init', '-q');
  const expected = git('ls-files', '-z', '--others', '--exclude-standard').split('\0').filter(Boolean).sort();
  expect(await find('**')).toEqual(expected);
  expect(await find('*', { path: 'sub/x' })).toEqual(expected.filter((path) => path.startsWith('sub/x/')));
  expect(await find('*', { path: 'x/build' })).toEqual(['x/build/b']);
});

test('finds lines with numbers and context', async () => {
  await put({ 'a.txt': 'one\ntwo\nthree\nfour\nfive\r\n', 'b.md': 'two\n', 'skip.bin': 'two\0two' });
  expect(await bench.output('grep_files', { pattern: 't[wh]' })).toBe('a.txt\n  2: two\n  3: three\nb.md\n  1: two\n\n[1 binary or large files were skipped]');
  expect(await bench.output('grep_files', { pattern: 'three', context: 1, glob: '*.txt' })).toBe('a.txt\n  2- two\n  3: three\n  4- four');
  expect(await bench.output('grep_files', { pattern: 'five$', path: 'a.txt' })).toBe('a.txt\n  5: five');
  expect(await bench.output('grep_files', { pattern: 'TWO', ignoreCase: true, glob: '*.md' })).toBe('b.md\n  1: two');
  expect(await bench.output('grep_files', { pattern: '(?i)TWO', glob: '*.md' })).toBe('b.md\n  1: two');
  expect(await bench.output('grep_files', { pattern: 't.o', literal: true, glob: '*.md' })).toBe('No line matches t.o.');
  expect(await bench.output('grep_files', { pattern: 'o', limit: 1, glob: '*.txt' })).toContain('more matches');
  expect(await bench.error('grep_files', { pattern: '(' })).toContain('Invalid regular expression');
  expect(await bench.error('grep_files', { pattern: 'a\nb' })).toContain('line break');
});

test('stops a pattern that never ends, without blocking the process', async () => {
  await put({ 'evil.txt': `${'a'.repeat(60)}!\n` });
  let ticks = 0;
  const tick = setInterval(() => ticks++, 20);
  const error = await bench.error('grep_files', { pattern: '^(a+)+$' });
  clearInterval(tick);
  expect(error).toContain('takes too long (stopped at evil.txt)');
  expect(ticks).toBeGreaterThan(50);
});

test('a search ends when it is aborted', async () => {
  await put({ 'evil.txt': `${'a'.repeat(60)}!\n` });
  const controller = new AbortController();
  const running = bench.run('grep_files', { pattern: '^(a+)+$' }, { signal: controller.signal });
  controller.abort(new Error('stop'));
  await expect(running).rejects.toThrow('stop');
});

test('searches 3,000 files in less than three seconds of CPU time', async () => {
  const many = Array.from({ length: 3000 }, (_, index) => [`d${index % 60}/f${index}.txt`, `line\nneedle ${index}\n`] as const);
  await put(Object.fromEntries(many));
  const spent = await cpuMsOf(async () => {
    expect(await bench.output('grep_files', { pattern: 'needle 2999$' })).toBe('d59/f2999.txt\n  2: needle 2999');
  });
  expect(spent).toBeLessThan(3000);
});

test('searches a named file of any size, with context across chunk boundaries', async () => {
  const lines = Array.from({ length: 400_000 }, (_, index) => `line ${index + 1} of a file that is longer than a piece`);
  for (const number of [1, 80_000, 399_999]) lines[number - 1] = `needle ${number}`;
  await put({ 'big.log': `${lines.join('\n')}\n` });
  const found = await bench.output('grep_files', { path: 'big.log', pattern: '^needle', context: 1 });
  expect(found.split('\n').filter((line) => line.includes('needle'))).toEqual(['       1: needle 1', '   80000: needle 80000', '  399999: needle 399999']);
  expect(found).toContain('   79999- line 79999');
  expect(found).toContain('  400000- line 400000');
  const everywhere = await bench.output('grep_files', { pattern: 'of a file', path: 'big.log', context: 2, limit: 2000 });
  expect(everywhere.split('\n').length).toBeGreaterThan(600);
  expect(await bench.output('grep_files', { pattern: '^needle' })).toBe('No line matches ^needle.\n\n[1 binary or large files were skipped]');
});

test('searches a file in chunks correctly for any line length', async () => {
  const long = 'é'.repeat(1_500_000);
  const lines = ['\uFEFFfirst', long, `needle ${long}`, 'x'.repeat(5_000_000), 'needle', `${long} needle`, '', 'last needle'];
  await put({ 'long.txt': lines.join('\n') });
  const numbersOf = (found: string): number[] => [...found.matchAll(/^ +(\d+):/gm)].map(([, number]) => Number(number));
  expect(numbersOf(await bench.output('grep_files', { path: 'long.txt', pattern: 'needle' }))).toEqual([3, 5, 8]);
  expect(numbersOf(await bench.output('grep_files', { path: 'long.txt', pattern: '^[a-z]+$' }))).toEqual([1, 4, 5]);
  expect(numbersOf(await bench.output('grep_files', { path: 'long.txt', pattern: '^$' }))).toEqual([7]);
  const around = await bench.output('grep_files', { path: 'long.txt', pattern: '^needle$', context: 2 });
  expect([...around.matchAll(/^ +(\d+)[:-]/gm)].map(([, number]) => Number(number))).toEqual([3, 4, 5, 6, 7]);
});

test('finds each line once at chunk boundaries', async () => {
  const lines = Array.from({ length: 200_000 }, (_, index) => `${index + 1}${'x'.repeat(60 + (index % 7))}`);
  await put({ 'big.txt': lines.join('\r\n') });
  for (const number of [70_000, 66_576, 66_577, 133_153, 199_999, 200_000]) {
    const found = await bench.output('grep_files', { path: 'big.txt', pattern: `^${number}x+$` });
    expect(found, String(number)).toMatch(new RegExp(`^big\\.txt\\n  ${number}: ${number}x+$`));
  }
});

test('does not split a character in a truncated line', async () => {
  for (const start of ['', 'c']) {
    await put({ 'long.txt': `${start}${'😀'.repeat(3_000)}needle${'😀'.repeat(3_000)}\n` });
    for (const output of [await bench.output('grep_files', { pattern: 'needle' }), await bench.output('read_file', { path: 'long.txt' })]) {
      expect(output).toContain('😀');
      expect(output).not.toMatch(/\p{Surrogate}/u);
    }
  }
});
