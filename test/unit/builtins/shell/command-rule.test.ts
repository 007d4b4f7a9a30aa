import { execFileSync } from 'node:child_process';
import { appendFile, chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import * as shell from '../../../../builtins/tools/shell/index.ts';
import { openToolBench } from '../files/tool-bench.ts';
import { useEach } from '../../../helpers/use-opened.ts';

const at = (path: string): string => join(bench.workspace, path);
const isAllowed = async (command: string, more: object = {}): Promise<boolean> => (await bench.rules('run_command', { command, ...more })).includes('allow');

async function expectAll(commands: readonly string[], expected: boolean): Promise<void> {
  for (const command of commands) expect(await isAllowed(command), command).toBe(expected);
}

const bench = useEach(() => openToolBench({ modules: { shell } }));
beforeEach(async () => {
  await writeFile(at('a.txt'), 'x');
  await mkdir(at('sub'));
});

test('allows read-only commands', async () => {
  await expectAll(
    ['ls', 'ls -la sub', 'pwd', 'cat a.txt', "cat 'a b.txt'", 'head -n 5 a.txt', 'tail -20 sub/x', 'wc -l a.txt', 'date +%Y', 'whoami', 'echo "hello there"'],
    true,
  );
  await expectAll(['node --version', 'git --version', 'uname -a', 'du -sh .', 'which node', ` cat ${'a.txt'} `], true);
});

test('accepts no whitespace other than a space', async () => {
  await writeFile(join(bench.home, 'key'), 's3cret');
  for (const blank of ['\u00a0', '\ufeff', '\u2003', '\u3000', '\u2028', '\u0085', '\u200b', '\u3164', '\u115f', '\t', '\v', '\f', '\r', '\n']) {
    await symlink(join(bench.home, 'key'), at(`a.txt${blank}`));
    const forms = [`cat a.txt${blank}`, `${blank}cat a.txt`, `cat${blank}a.txt`, `cat 'a.txt${blank}'`, `cat "a.txt${blank}"`, `cat a.txt ${blank}`];
    await expectAll(forms, false);
  }
  await expectAll(['  cat   a.txt  ', "cat 'a.txt'"], true);
});

test('requires approval for any shell syntax', async () => {
  const tricks = [
    ...['ls; rm x', 'ls && rm x', 'ls | sh', 'ls > x', 'ls & rm x', 'echo $(rm x)', 'echo `rm x`', 'echo $HOME', 'ls *.txt', 'ls\nrm x', 'ls \\\n'],
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

test('requires approval for unknown programs and flags', async () => {
  await expectAll(
    [
      ...['rm a.txt', './ls', '/bin/ls', 'env', 'find . -delete', 'sort -o a b', 'tail -f a.txt', 'date 01010101', 'date -s x', 'hostname evil', 'node'],
      'node -e 1',
    ],
    false,
  );
  await expectAll(['wc --files0-from=x', 'python3', 'npm run x', 'toString', 'constructor x', 'git', 'sudo ls', 'command ls', 'eval ls'], false);
});

test('requires approval for paths outside the workspace, through links, and in the home folder', async () => {
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

test("requires approval to list a folder that contains the product's home folder", async () => {
  const around = { workspaceRoot: join(bench.home, '..') };
  const rule = async (command: string): Promise<boolean> => (await bench.rules('run_command', { command }, around)).includes('allow');
  for (const command of ['ls -R', 'ls -R .', 'du -a', 'ls home', 'cat home/web_token']) expect(await rule(command), command).toBe(false);
  for (const command of ['ls work', 'cat work/a.txt', 'pwd']) expect(await rule(command), command).toBe(true);
});

test('requires approval for a workspace program that shadows a known one', async () => {
  await mkdir(at('bin'));
  await writeFile(at('bin/ls'), '#!/bin/sh\n');
  await chmod(at('bin/ls'), 0o755);
  const path = process.env['PATH'];
  process.env['PATH'] = `${at('bin')}:${path}`;
  onTestFinished(() => void (process.env['PATH'] = path));
  expect(await isAllowed('ls')).toBe(false);
  expect(await isAllowed('cat a.txt')).toBe(true);
});

test('allows git only for read-only subcommands and flags', async () => {
  execFileSync('git', ['init', '-q'], { cwd: bench.workspace });
  await expectAll(
    ['git status', 'git status -sb', 'git diff --stat', 'git log --oneline -5', 'git show HEAD~1', 'git log -n 3 -- a.txt', 'git branch --show-current'],
    true,
  );
  expect(await isAllowed('git status', { cwd: 'sub' })).toBe(true);
  const risky = [
    ...['git diff --output=x', 'git diff --ext-diff', 'git -c core.pager=sh log', 'git -C / status', 'git log --format=%G?'],
    ...['git diff --no-index /etc/passwd a', 'git show --textconv'],
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

test('requires approval for git when the repository configuration can run a program', async () => {
  expect(await isAllowed('git status')).toBe(false);
  execFileSync('git', ['init', '-q'], { cwd: bench.workspace });
  expect(await isAllowed('git status')).toBe(true);
  const config = at('.git/config');
  const clean = execFileSync('cat', [config], { encoding: 'utf8' });
  for (const evil of [
    ...['[core]\n\tfsmonitor = evil', '[core] fsmonitor = evil', '[diff "x"]\n\ttextconv = evil', '[include]\n\tpath = x', '[filter "x"]\nclean = evil'],
    ...['[CORE]\nFsMonitor', '[alias]\nstatus = !evil'],
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

test('requires approval for git when its folder refers to another repository', async () => {
  const other = join(bench.home, 'other');
  await mkdir(other);
  execFileSync('sh', ['-c', 'git init -q && git -c user.name=x -c user.email=x@x.x commit -q --allow-empty -m s3cret'], { cwd: other });
  execFileSync('git', ['init', '-q'], { cwd: bench.workspace });
  expect(await isAllowed('git log')).toBe(true);
  const ways: readonly (readonly [made: string, how: () => Promise<void>])[] = [
    ['.git/objects/info/alternates', () => writeFile(at('.git/objects/info/alternates'), `${other}/.git/objects\n`)],
    ['.git/refs/heads/linked', () => symlink(join(other, '.git/refs/heads'), at('.git/refs/heads/linked'))],
    ['.git/packed-refs', () => symlink(join(other, '.git/packed-refs'), at('.git/packed-refs'))],
    ['.git/objects/pack/linked', () => symlink(join(other, '.git/objects'), at('.git/objects/pack/linked'))],
    ['.git/commondir', () => writeFile(at('.git/commondir'), join(other, '.git'))],
    ['.git/pipe', async () => void execFileSync('mkfifo', [at('.git/pipe')])],
  ];
  for (const [made, how] of ways) {
    await how();
    expect(await isAllowed('git log'), made).toBe(false);
    await rm(at(made));
    expect(await isAllowed('git log'), made).toBe(true);
  }
  // Git skips an invalid .git and searches parent folders.
  await mkdir(at('sub/.git'));
  expect(await isAllowed('git log', { cwd: 'sub' })).toBe(false);
  await rm(at('.git'), { recursive: true });
  await symlink(join(other, '.git'), at('.git'));
  expect(await isAllowed('git log')).toBe(false);
});

test('requires approval for git when a nested repository has its own configuration', async () => {
  execFileSync('git', ['init', '-q'], { cwd: bench.workspace });
  execFileSync('sh', ['-c', 'git init -q && git -c user.name=x -c user.email=x@x.x commit -q --allow-empty -m one'], { cwd: at('sub') });
  expect(await isAllowed('git status')).toBe(true);
  execFileSync('git', ['-c', 'advice.addEmbeddedRepo=false', 'add', 'sub'], { cwd: bench.workspace });
  expect(await isAllowed('git status')).toBe(false);
});

test("requires approval for git when repository files could trigger a program from the user's configuration", async () => {
  execFileSync('git', ['init', '-q'], { cwd: bench.workspace });
  const home = process.env['HOME'];
  process.env['HOME'] = bench.home;
  onTestFinished(() => void (process.env['HOME'] = home));
  const setting = async (text: string): Promise<boolean> => {
    await writeFile(join(bench.home, '.gitconfig'), text);
    return isAllowed('git status');
  };
  for (const text of [
    ...['[core]\nfsmonitor = ./x', '[core]\nhooksPath = .hooks', '[filter "x"]\nclean = x', '[filter "lfs"]\nclean = ./git-lfs clean'],
    ...['[diff "x"]\ntextconv = x', '[diff]\nexternal = x', '[log]\nshowSignature'],
  ]) {
    expect(await setting(text), text).toBe(false);
    await writeFile(join(bench.home, 'more'), text);
    expect(await setting('[include]\npath = more'), `included: ${text}`).toBe(false);
  }
  const lfs = '[filter "lfs"]\nclean = git-lfs clean -- %f\nsmudge = git-lfs smudge -- %f\nprocess = git-lfs filter-process\nrequired = true\n';
  expect(await setting(`${lfs}[user]\nname = x\n[alias]\nst = status\n[core]\neditor = vim\n[credential]\nhelper = store`)).toBe(true);
});

test('requires approval for git in bare, linked and submodule repositories', async () => {
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

test('stops and reads background commands without another approval', async () => {
  expect(await bench.rules('stop_command', { id: 'cmd_1' })).toEqual(['allow']);
  expect(await bench.rules('command_output', { id: 'cmd_1' })).toEqual([]);
});
