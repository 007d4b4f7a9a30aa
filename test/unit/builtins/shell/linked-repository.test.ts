// Tests commits in linked worktrees and submodules: allowed after an approval that names the repository, with hooks and configuration protected.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as shell from '../../../../builtins/tools/shell/index.ts';
import { openToolBench } from '../files/tool-bench.ts';
import { useEach } from '../../../helpers/use-opened.ts';
import { title, whyNot } from './sandbox-tests.ts';

const bench = useEach(() => openToolBench({ modules: { shell } }));
const identity = ['-c', 'user.name=A', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always'];
const git = (cwd: string, ...args: readonly string[]): string => execFileSync('git', [...identity, ...args], { cwd, encoding: 'utf8', stdio: 'pipe' }).trim();
const commit = 'echo y > h && git -c user.name=A -c user.email=a@b add h && git -c user.name=A -c user.email=a@b commit -q -m three';
async function reason(): Promise<string> {
  const rule = bench.items.approval_rule?.find(({ name }) => name === 'harmless-commands');
  const tool = { plugin: 'shell', name: 'run_command' };
  const turn = { workspaceRoot: bench.workspace, chatId: 'chat_1' };
  const verdict = await rule?.decide({ callId: 'call_1', tool, args: { command: 'x', git: true }, turn } as never);
  expect(verdict?.verdict).toBe('ask');
  return verdict?.reason ?? '';
}
const beside = (name: string): string => join(dirname(bench.workspace), name);

async function makeRepository(name: string): Promise<string> {
  await mkdir(beside(name));
  git(beside(name), 'init', '-q', '-b', 'main');
  await writeFile(join(beside(name), 'a.txt'), 'a\n');
  git(beside(name), 'add', '.');
  git(beside(name), 'commit', '-q', '-m', 'one');
  return beside(name);
}

const kinds: readonly [string, () => Promise<string>][] = [
  [
    'a linked worktree',
    async () => {
      const repository = await makeRepository('repository');
      await rm(bench.workspace, { recursive: true });
      git(repository, 'worktree', 'add', '-q', bench.workspace, '-b', 'feature');
      return join(repository, '.git');
    },
  ],
  [
    'a submodule',
    async () => {
      const inner = await makeRepository('inner');
      const outer = await makeRepository('outer');
      git(outer, 'submodule', 'add', '-q', inner, 'sub');
      await rm(bench.workspace, { recursive: true });
      git(outer, 'config', '-f', '.git/modules/sub/config', 'core.worktree', bench.workspace);
      execFileSync('mv', [join(outer, 'sub'), bench.workspace]);
      await writeFile(join(bench.workspace, '.git'), `gitdir: ${join(outer, '.git/modules/sub')}\n`);
      return join(outer, '.git/modules/sub');
    },
  ],
];

describe.skipIf(whyNot !== undefined)(title, () => {
  test.each(kinds)('%s: rejects a commit with a hint, allows it with git: true, and protects hooks and configuration', async (_, make) => {
    const repository = await make();
    expect(await bench.error('run_command', { command: commit })).toContain('pass git: true');
    expect(git(bench.workspace, 'log', '-1', '--format=%s')).toBe('one');

    expect(await reason()).toContain(repository);
    await bench.output('run_command', { command: commit, git: true });
    expect(git(bench.workspace, 'log', '-1', '--format=%s')).toBe('three');
    expect(git(bench.workspace, 'status', '--porcelain')).toBe('');

    const config = await readFile(join(repository, 'config'), 'utf8');
    const attack = `cd ${repository}; echo '[core]' >> config; git config core.hooksPath /tmp; mkdir -p hooks; echo x > hooks/pre-commit; echo ${bench.workspace} > ../../x`;
    await bench.run('run_command', { command: attack, git: true });
    expect(await readFile(join(repository, 'config'), 'utf8')).toBe(config);
    expect(existsSync(join(repository, 'hooks/pre-commit'))).toBe(false);
  });

  test('removes hooks and settings that a command created in the external repository, and reports it', async () => {
    const repository = await kinds[1]?.[1]();
    await rm(join(repository ?? '', 'hooks'), { recursive: true, force: true });
    const output = await bench.output('run_command', {
      command: `mkdir ${repository}/hooks; echo x > ${repository}/hooks/pre-commit; echo / > ${repository}/commondir`,
      git: true,
    });
    expect(output).toContain('It created commondir, hooks in the repository outside');
    expect([existsSync(join(repository ?? '', 'hooks')), existsSync(join(repository ?? '', 'commondir'))]).toEqual([false, false]);
  });

  test('does not open a repository that does not list the workspace as its own', async () => {
    const foreign = await makeRepository('foreign');
    git(foreign, 'worktree', 'add', '-q', beside('other'), '-b', 'feature');
    for (const gitdir of [join(foreign, '.git'), join(foreign, '.git/worktrees/other')]) {
      await writeFile(join(bench.workspace, '.git'), `gitdir: ${gitdir}\n`);
      expect(await reason()).toContain('belongs to none');
      await bench.run('run_command', { command: `touch ${gitdir}/made; ${commit}`, git: true });
      expect(existsSync(join(gitdir, 'made'))).toBe(false);
    }
    expect(git(foreign, 'log', '-1', '--format=%s', '--all')).toBe('one');
  });

  test('protects the .git file and hooks of submodules inside the workspace', async () => {
    const inner = await makeRepository('inner');
    git(bench.workspace, 'init', '-q', '-b', 'main');
    git(bench.workspace, 'submodule', 'add', '-q', inner, 'sub');
    const module = join(bench.workspace, '.git/modules/sub');
    await mkdir(join(module, 'hooks'), { recursive: true });
    await bench.run('run_command', { command: `echo x > sub/.git; echo x > .git/modules/sub/hooks/pre-commit; echo '[core]' >> .git/modules/sub/config` });
    expect(await readFile(join(bench.workspace, 'sub/.git'), 'utf8')).toContain('gitdir: ');
    expect(existsSync(join(module, 'hooks/pre-commit'))).toBe(false);
    await bench.output('run_command', { command: `cd sub && ${commit}` });
    expect(git(join(bench.workspace, 'sub'), 'log', '-1', '--format=%s')).toBe('three');
  });
});

test('never splits a character between two polls of a command', async () => {
  const command = "printf 'caf\\303'; until [ -e go ]; do :; done; printf '\\251 done'";
  const id = /cmd_\d+/.exec(await bench.output('run_command', { command, background: true }))?.[0] ?? '';
  expect(await bench.output('command_output', { id, wait: 10_000 })).toBe(`${id} is running.\ncaf`);
  await writeFile(join(bench.workspace, 'go'), '');
  let rest = '';
  while (!rest.includes('has ended')) rest += await bench.output('command_output', { id, wait: 10_000 });
  expect(rest).toContain('é done');
});
