import { chmod, link, lstat, mkdir, readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as files from '../../../../builtins/tools/files/index.ts';
import { openToolBench } from './tool-bench.ts';
import { useEach } from '../../../helpers/use-opened.ts';

const at = (path: string): string => join(bench.workspace, path);
const text = (path: string): Promise<string> => readFile(at(path), 'utf8');

const bench = useEach(() => openToolBench({ modules: { files } }));

test('creates a new file with its folders', async () => {
  expect(await bench.output('write_file', { path: 'a/b/c.txt', content: 'one\ntwo\n', mode: 'create' })).toBe('Created a/b/c.txt: 2 lines, 8 bytes.');
  expect(await text('a/b/c.txt')).toBe('one\ntwo\n');
});

test('mode create rejects an existing file', async () => {
  await writeFile(at('a.txt'), 'old');
  expect(await bench.error('write_file', { path: 'a.txt', content: 'new', mode: 'create' })).toContain('a.txt already exists');
  expect(await text('a.txt')).toBe('old');
});

test('overwrite keeps the mode, append keeps the content, and no other file remains', async () => {
  await writeFile(at('run.sh'), 'old');
  await chmod(at('run.sh'), 0o751);
  await bench.output('write_file', { path: 'run.sh', content: 'new\n' });
  await bench.output('write_file', { path: 'run.sh', content: 'more\n', mode: 'append' });
  expect(await text('run.sh')).toBe('new\nmore\n');
  expect((await stat(at('run.sh'))).mode & 0o7777).toBe(0o751);
  expect(await readdir(bench.workspace)).toEqual(['run.sh']);
  expect(await bench.output('write_file', { path: 'run.sh', content: 'new\nmore\n' })).toContain('has this content already');
});

test('serializes concurrent writers of one file', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, index) => bench.output('write_file', { path: 'log.txt', content: `${index}\n`, mode: 'append' })));
  const lines = (await text('log.txt')).trim().split('\n').map(Number);
  expect(lines.sort((left, right) => left - right)).toEqual(Array.from({ length: 20 }, (_, index) => index));
});

test('serializes edit_file and write_file on the same file', async () => {
  await writeFile(at('a.txt'), 'a b c\n');
  await Promise.all([
    bench.output('edit_file', { path: 'a.txt', edits: [{ search: 'a', replace: 'A' }] }),
    bench.output('write_file', { path: 'a.txt', content: 'tail\n', mode: 'append' }),
    bench.output('edit_file', { path: './a.txt', edits: [{ search: 'c', replace: 'C' }] }),
  ]);
  expect(await text('a.txt')).toBe('A b C\ntail\n');
});

test('writes through a link inside the workspace and rejects a link that leads out', async () => {
  await writeFile(at('target.txt'), 'old');
  await symlink('target.txt', at('inner'));
  await bench.output('write_file', { path: 'inner', content: 'new' });
  expect((await lstat(at('inner'))).isSymbolicLink()).toBe(true);
  expect(await text('target.txt')).toBe('new');

  await writeFile(join(bench.workspace, '..', 'outside.txt'), 'foreign');
  await symlink('../outside.txt', at('outer'));
  await symlink('../nowhere.txt', at('broken'));
  expect(await bench.error('write_file', { path: 'outer', content: 'x' })).toContain('symbolic link out of the workspace');
  expect(await bench.error('write_file', { path: 'broken', content: 'x' })).toContain('broken symbolic link');
  expect(await readFile(join(bench.workspace, '..', 'outside.txt'), 'utf8')).toBe('foreign');
});

test('breaks a hard link instead of writing through it', async () => {
  const outside = join(bench.workspace, '..', 'outside.txt');
  await writeFile(outside, 'foreign');
  await link(outside, at('hard.txt'));
  await bench.output('write_file', { path: 'hard.txt', content: 'mine' });
  expect([await text('hard.txt'), await readFile(outside, 'utf8')]).toEqual(['mine', 'foreign']);
});

test('rejects folders, read-only files and paths through files with a clear error', async () => {
  await mkdir(at('folder'));
  await writeFile(at('fixed.txt'), 'x');
  await chmod(at('fixed.txt'), 0o444);
  expect(await bench.error('write_file', { path: 'folder', content: '' })).toContain('is a folder');
  expect(await bench.error('write_file', { path: 'new/', content: '' })).toContain('is a folder');
  expect(await bench.error('write_file', { path: 'fixed.txt', content: 'y' })).toContain('is read-only');
  expect(await bench.error('write_file', { path: 'fixed.txt/y', content: 'y' })).toContain('is a file, not a folder');
  expect(await bench.error('write_file', { path: join(bench.home, 'plugins', 'x.mjs'), content: 'y' })).toContain("this program's own files");
});

test('requires approval outside the workspace, and everywhere without undo', async () => {
  await symlink('..', at('up'));
  for (const path of ['../x.txt', 'up/x.txt', '/tmp/x.txt']) expect(await bench.asks('write_file', { path }), path).toContain('outside the workspace');
  expect(await bench.asks('write_file', { path: 'x.txt' })).toContain('cannot be undone here');
  expect(bench.descriptor('edit_file')).toMatchObject({ undo: 'none' });
});

const checkpoints = {
  before: () => Promise.resolve(),
  beforeAll: () => Promise.resolve(),
  contained: () => Promise.resolve(),
  compare: () => Promise.resolve(undefined),
  cancel: () => Promise.resolve(),
  changes: async () => ({ files: [], state: [], outside: [], more: 0 }),
  undo: () => Promise.reject(new Error('no')),
  undoHunks: () => Promise.reject(new Error('no')),
  redo: () => Promise.reject(new Error('no')),
  changing: <T>(_context: unknown, _name: string, _keys: readonly string[], work: () => Promise<T>) => work(),
};

test('with checkpoints, requires no approval in the workspace, except for files that other programs obey', async () => {
  const undoable = await openToolBench({ modules: { files }, services: { checkpoints } });
  expect(undoable.descriptor('edit_file')).toMatchObject({ undo: 'checkpoint', effects: ['write'] });
  expect(await undoable.asks('write_file', { path: 'x.txt' })).toBeUndefined();
  const steering = ['.git/config', 'sub/.git/hooks/x', 'AGENTS.md', '.agents/skills/a/SKILL.md', '.vscode/tasks.json', '.mcp.json', '.envrc', '.npmrc'];
  steering.push('CLAUDE.md', 'sub/claude.md', '.cursor/rules/a.mdc', '.github/workflows/ci.yml', '.github/copilot-instructions.md', '.husky/pre-commit');
  steering.push('.gitmodules', '.yarnrc.yml', '.devcontainer/devcontainer.json', '.claude/settings.json', '.gitlab-ci.yml', '.cargo/config.toml', '.bashrc');
  for (const path of steering) {
    expect(await undoable.rules('write_file', { path, content: '' }), path).toEqual(['ask']);
    expect(await undoable.rules('edit_file', { path, edits: [] }), path).toEqual(['ask']);
  }
  await symlink('.envrc', join(undoable.workspace, 'harmless'));
  await writeFile(join(undoable.workspace, '.envrc'), '');
  expect(await undoable.rules('write_file', { path: 'harmless' })).toEqual(['ask']);
  for (const path of ['git/x.txt', '.github/README.md', 'src/claude.ts', 'envrc', '.gitignore', 'workflows/ci.yml']) {
    expect(await undoable.rules('write_file', { path }), path).toEqual([]);
  }
  expect(await undoable.rules('read_file', { path: '.git/config' })).toEqual([]);
});

test('writes nothing when the checkpoint fails', async () => {
  const full = { ...checkpoints, before: () => Promise.reject(new Error('disk full')) };
  const broken = await openToolBench({ modules: { files }, services: { checkpoints: full } });
  await expect(broken.run('write_file', { path: 'x.txt', content: 'x' })).rejects.toThrow('disk full');
  expect(await readdir(broken.workspace)).toEqual([]);
});
