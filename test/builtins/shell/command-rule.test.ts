import { execFileSync } from 'node:child_process';
import { appendFile, chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as shell from '../../../builtins/tools/shell/index.ts';
import { openToolBench, type ToolBench } from '../files/tool-bench.ts';

let bench: ToolBench;
const at = (path: string): string => join(bench.workspace, path);
const isAllowed = async (command: string, more: object = {}): Promise<boolean> => (await bench.rules('run_command', { command, ...more })).includes('allow');

async function expectAll(commands: readonly string[], expected: boolean): Promise<void> {
  for (const command of commands) expect(await isAllowed(command), command).toBe(expected);
}

beforeEach(async () => {
  bench = await openToolBench({ modules: { shell } });
  await writeFile(at('a.txt'), 'x');
  await mkdir(at('sub'));
});
afterEach(async () => {
  expect(await bench.close()).toEqual([]);
});

test('commands that only look go ahead', async () => {
  await expectAll(
    ['ls', 'ls -la sub', 'pwd', 'cat a.txt', "cat 'a b.txt'", 'head -n 5 a.txt', 'tail -20 sub/x', 'wc -l a.txt', 'date +%Y', 'whoami', 'echo "hello there"'],
    true,
  );
  await expectAll(['node --version', 'git --version', 'uname -a', 'du -sh .', 'which node', ` cat ${'a.txt'} `], true);
});

test('anything that a shell gives a meaning asks', async () => {
  const tricks = [
    'ls; rm x',
    'ls && rm x',
    'ls | sh',
    'ls > x',
    'ls & rm x',
    'echo $(rm x)',
    'echo `rm x`',
    'echo $HOME',
    'ls *.txt',
    'ls\nrm x',
    'ls \\\n',
    'cat <(ls)',
  ];
  tricks.push(
    'A=1 ls',
    'ls #x',
    'cat ~/x',
    'cat a=~/x',
    'ls {a,b}',
    'cat "a',
    "cat 'a",
    'echo "$(rm x)"',
    'ls "" x',
    '"ls;rm"',
    'l\\s',
    'ls \u2028rm',
    'ls\trm',
    '!!',
    'time ls',
    '',
  );
  await expectAll(tricks, false);
});

test('unknown programs and flags ask', async () => {
  await expectAll(
    [
      'rm a.txt',
      './ls',
      '/bin/ls',
      'env',
      'find . -delete',
      'sort -o a b',
      'tail -f a.txt',
      'date 01010101',
      'date -s x',
      'hostname evil',
      'node',
      'node -e 1',
    ],
    false,
  );
  await expectAll(['wc --files0-from=x', 'python3', 'npm run x', 'toString', 'constructor x', 'git', 'sudo ls', 'command ls', 'eval ls'], false);
});

test('paths out of the workspace ask, links and the home folder of the product included', async () => {
  await symlink('/etc', at('etc'));
  await symlink('/nowhere', at('broken'));
  await symlink(bench.home, at('home'));
  await expectAll(
    ['cat /etc/passwd', 'cat ../x', 'cat sub/../../x', 'ls /', 'cat etc/passwd', 'cat broken', 'cat home/web_token', `cat ${bench.home}/web_token`],
    false,
  );
  expect(await isAllowed('cat ../a.txt', { cwd: 'sub' })).toBe(true);
  expect(await isAllowed('cat ../../x', { cwd: 'sub' })).toBe(false);
  expect(await isAllowed('ls', { cwd: '..' })).toBe(false);
  expect(await isAllowed('ls', { background: true })).toBe(false);
});

test('a program of the workspace that took the place of a known one asks', async () => {
  await mkdir(at('bin'));
  await writeFile(at('bin/ls'), '#!/bin/sh\n');
  await chmod(at('bin/ls'), 0o755);
  const path = process.env['PATH'];
  process.env['PATH'] = `${at('bin')}:${path}`;
  try {
    expect(await isAllowed('ls')).toBe(false);
    expect(await isAllowed('cat a.txt')).toBe(true);
  } finally {
    process.env['PATH'] = path;
  }
});

test('git only looks, with flags that only look', async () => {
  execFileSync('git', ['init', '-q'], { cwd: bench.workspace });
  await expectAll(
    ['git status', 'git status -sb', 'git diff --stat', 'git log --oneline -5', 'git show HEAD~1', 'git log -n 3 -- a.txt', 'git branch --show-current'],
    true,
  );
  expect(await isAllowed('git status', { cwd: 'sub' })).toBe(true);
  const risky = [
    'git diff --output=x',
    'git diff --ext-diff',
    'git -c core.pager=sh log',
    'git -C / status',
    'git log --format=%G?',
    'git diff --no-index /etc/passwd a',
    'git show --textconv',
  ];
  risky.push(
    'git push',
    'git checkout .',
    'git branch x',
    'git log --output x',
    'git diff ../../x',
    'git --git-dir=x status',
    'git status --git-dir=x',
    'git log -O x',
  );
  await expectAll(risky, false);
});

test('git asks where a repository could make it run something', async () => {
  expect(await isAllowed('git status')).toBe(false);
  execFileSync('git', ['init', '-q'], { cwd: bench.workspace });
  expect(await isAllowed('git status')).toBe(true);
  const config = at('.git/config');
  const clean = execFileSync('cat', [config], { encoding: 'utf8' });
  for (const evil of [
    '[core]\n\tfsmonitor = evil',
    '[core] fsmonitor = evil',
    '[diff "x"]\n\ttextconv = evil',
    '[include]\n\tpath = x',
    '[filter "x"]\nclean = evil',
    '[CORE]\nFsMonitor',
    '[alias]\nstatus = !evil',
  ]) {
    await writeFile(config, `${clean}${evil}\n`);
    expect(await isAllowed('git status'), evil).toBe(false);
  }
  await writeFile(
    config,
    `${clean}[remote "origin"]\n\turl = https://example.org/x.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch "main"]\n\tremote = origin\n`,
  );
  expect(await isAllowed('git status')).toBe(true);
  await writeFile(at('.git/hooks/post-index-change'), '');
  expect(await isAllowed('git status')).toBe(false);
});

test('git asks in repositories that are not plainly one of the workspace', async () => {
  execFileSync('git', ['init', '-q'], { cwd: bench.workspace });
  for (const part of ['objects', 'refs']) await mkdir(at(`sub/${part}`), { recursive: true });
  await writeFile(at('sub/HEAD'), 'ref: refs/heads/main');
  expect(await isAllowed('git status', { cwd: 'sub' })).toBe(false);
  await mkdir(at('linked'));
  await writeFile(at('linked/.git'), 'gitdir: ../sub');
  expect(await isAllowed('git status', { cwd: 'linked' })).toBe(false);
  await appendFile(at('.gitmodules'), '');
  expect(await isAllowed('git status')).toBe(false);
});

test('ending what was started with approval does not ask again', async () => {
  expect(await bench.rules('stop_command', { id: 'cmd_1' })).toEqual(['allow']);
  expect(await bench.rules('command_output', { id: 'cmd_1' })).toEqual([]);
});
