// What a sandboxed command leaves behind must not run later, outside of the sandbox.
import { execFileSync } from 'node:child_process';
import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import * as files from '../../../builtins/tools/files/index.ts';
import * as shell from '../../../builtins/tools/shell/index.ts';
import { openToolBench } from '../../unit/builtins/files/tool-bench.ts';
import { title, whyNot } from '../../unit/builtins/shell/sandbox-tests.ts';
import { useEach } from '../../helpers/use-opened.ts';

const at = (path: string): string => join(bench.workspace, path);
const run = (command: string, more: object = {}): Promise<string> => bench.output('run_command', { command, ...more });
const fail = (command: string, more: object = {}): Promise<string> => bench.error('run_command', { command, ...more });
const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x.x', ...args], { cwd: bench.workspace, encoding: 'utf8' });

const bench = useEach(() => openToolBench({ modules: { shell, files }, environment: { AGENT_SANDBOX: 'require' } }));
beforeEach(async () => {
  git('init', '-q');
  for (const path of [
    '.mcp.json',
    'AGENTS.md',
    '.vscode/tasks.json',
    '.idea/x.xml',
    '.envrc',
    '.npmrc',
    '.github/workflows/ci.yml',
    'sub/CLAUDE.md',
    'a.txt',
  ]) {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), 'old');
  }
});

describe.skipIf(whyNot !== undefined)(`files that other programs obey, ${title}`, () => {
  test('they stay as they are, in place, by name and with their folders, and the model learns how to ask', async () => {
    const hint = 'pass changesSettings: true';
    for (const path of ['.mcp.json', 'AGENTS.md', '.vscode/tasks.json', '.idea/x.xml', '.envrc', '.npmrc', '.github/workflows/ci.yml', 'sub/CLAUDE.md']) {
      expect(await fail(`echo evil > ${path}`), path).toContain(hint);
      await fail(`echo evil > new && mv -f new ${path}`);
      await fail(`rm ${path}`);
      expect(await readFile(at(path), 'utf8'), path).toBe('old');
    }
    for (const folder of ['.vscode', '.github', '.github/workflows', '.git', '.git/hooks']) expect(await fail(`mv ${folder} moved`), folder).toContain(hint);
    for (const path of ['.vscode/settings.json', '.git/hooks/pre-commit']) await fail(`echo evil > ${path}`);
    await run('echo new > a.txt; mkdir -p sub/deep; mv a.txt sub/deep/b.txt; mv sub/deep/b.txt a.txt');
    expect(await readFile(at('a.txt'), 'utf8')).toBe('new\n');
  });

  test('git works on, but nothing is planted that it would run at the next look', async () => {
    const proof = at('ran.txt');
    await fail(`git config core.fsmonitor 'touch ${proof}'`);
    await fail(`cp -r .git copy && cd copy && git config --file config core.fsmonitor 'touch ${proof}' && cd .. && mv -T .git gone && mv -T copy .git`);
    await fail(`rm .git/config; printf '[core]\\nfsmonitor = touch ${proof}\\n' > .git/config`);
    git('status');
    await expect(access(proof)).rejects.toThrow('ENOENT');
    await run('git checkout -q -b more && git add a.txt && git -c user.name=x -c user.email=x@x.x commit -q -m one && git stash list && git tag v1');
    expect(git('log', '--format=%s')).toBe('one\n');
  });

  test('one that a command makes is told', async () => {
    const made = await run('mkdir .zed && echo x > .zed/tasks.json && echo x > .git/commondir-not && echo x > .bashrc && echo done');
    expect(made).toBe('done\n[It created files that control other programs: .bashrc, .zed. Tell the user to review them.]');
    expect(await run('echo done')).toBe('done');
    expect(await fail('mkdir .fleet; exit 3')).toContain('[It created files that control other programs: .fleet.');
  });

  test('with a yes for that they can be changed, and only a person gives it', async () => {
    expect(await run('echo new > AGENTS.md; git config core.editor true; echo done', { changesSettings: true })).toBe('done');
    expect(await readFile(at('AGENTS.md'), 'utf8')).toBe('new\n');
    expect(await bench.rules('run_command', { command: 'ls', changesSettings: true })).toEqual(['ask']);
    expect(await bench.rules('run_command', { command: 'ls', changesSettings: false })).toEqual(['allow']);
  });
});
