// Tests that applying a preview equals a direct run, with random commands on two identical folders.
import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inSoak } from '../../helpers/dice.ts';
import { createExactFiles } from '../../../plugins/exact-files/exact-files.ts';
import { applyChanges, createApplyMark, whyStale } from '../../../builtins/turn/effect-preview/apply-changes.ts';
import { openStage, type Stage } from '../../../builtins/turn/effect-preview/stage.ts';
import { readChanges, type TreeChange } from '../../../builtins/turn/effect-preview/tree-changes.ts';
import { title, whyNot } from '../../unit/builtins/effect-preview/overlay-tests.ts';
import { limits, noMarks, picture, runOn, setup, twins } from '../../unit/builtins/effect-preview/stage-world.ts';

const exactFiles = createExactFiles();
let base: string;
let count = 0;

async function onStage<T>(workspace: string, script: string, work: (changes: TreeChange[], stage: Stage) => Promise<T>): Promise<T> {
  const stages = join(base, 'stages');
  const tmp = join(base, 'tmp');
  await Promise.all([stages, tmp].map((folder) => mkdir(folder, { recursive: true })));
  const stage = await openStage(workspace, tmp, { stages, processes: noMarks, count: ++count });
  try {
    runOn(stage, workspace, script);
    return await work(await readChanges(stage.workspace, { ...limits, since: stage.since }), stage);
  } finally {
    await stage.drop();
    expect(await readdir(stages)).toEqual([]);
  }
}

async function compare(setup: string, script: string): Promise<void> {
  const [one, other] = await twins(base, ++count, setup);
  const before = await picture(other);
  execFileSync('sh', ['-c', script], { cwd: one, stdio: 'pipe' });
  await onStage(other, script, async (changes, stage) => {
    expect(await picture(other), 'nothing happens before').toEqual(before);
    await applyChanges(changes, { from: stage.workspace.upper, to: other, exactFiles, mark: createApplyMark(), record: () => Promise.resolve() });
  });
  expect(await picture(other), script).toEqual(await picture(one));
}

describe.skipIf(whyNot !== undefined)(title, () => {
  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'effects-')));
  });
  afterEach(async () => {
    await rm(base, { recursive: true, force: true });
  });

  test.each([
    ['new, edited, deleted', 'echo n > n; echo more >> a/one; rm a/b/two'],
    ['moved', 'mv a/one a/b/uno; mv top d/'],
    ['a folder is moved', 'mv a z'],
    ['modes', 'chmod 600 top; chmod 700 a/b; chmod 4755 bin; chmod 2777 d'],
    ['links', 'ln -s ../../../etc a/l; rm link; ln -s nowhere link; rm out; mkdir out; echo x > out/passwd'],
    ['a folder becomes a file', 'rm -r a; echo file > a'],
    ['a file becomes a folder', 'rm top; mkdir -p top/in; echo x > top/in/x'],
    ['a folder is recreated', 'rm -r a/b; mkdir a/b; echo new > a/b/new'],
    ['a folder is recreated with the same content', 'rm -r a; mkdir -p a/b; echo one > a/one'],
    ['a link becomes a folder', 'rm link; mkdir link; echo x > link/x'],
    ['everything is deleted', 'rm -rf ./* '],
    ['binary and large', 'head -c 3000000 /dev/zero > big; printf "\\002" >> bin'],
    ['unusual names', 'echo x > "e ü/neu \\$ é"; rm "e ü/ö \\"q\\""; echo y > "-n"; printf z > "two\nlines"'],
    ['hard links', 'echo h > h1; ln h1 a/h2; ln h1 d/h3'],
    ['empty folders', 'mkdir -p p/q/r; rmdir d'],
    ['unreadable folders', 'mkdir s; echo x > s/x; chmod 000 s/x; chmod 500 s'],
    [
      'a repository',
      'git init -q . && git -c user.name=a -c user.email=a@b add -A . && git -c user.name=a -c user.email=a@b -c gc.auto=0 commit -qm m --date 2020-01-01T00:00:00 && git status --short > st && rm -rf .git',
    ],
    [
      'a package installation',
      'for i in 1 2 3 4 5 6 7 8 9; do mkdir -p node_modules/p$i/lib; echo $i > node_modules/p$i/lib/i.js; ln -s ../p$i/lib/i.js node_modules/x/b$i; done; rm -r node_modules/x/i.js',
    ],
  ])('equals a direct run: %s', async (_, script) => {
    await compare(setup, script);
  });

  test('equals a direct run after all hard links of a file are deleted', async () => {
    await compare(`${setup}; echo h > h1; ln h1 a/h2`, 'rm h1 a/h2');
  });

  test('equals a direct run for random commands', async () => {
    let seed = 20_260;
    const pick = <T>(from: readonly T[]): T => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return from[Math.floor((seed / 2_147_483_648) * from.length)] as T;
    };
    const paths = ['a', 'a/one', 'a/b', 'a/b/two', 'a/b/c', 'd', 'd/x', 'top', 'link', 'new', 'new/in', 'out', 'bin', 'node_modules'];
    const steps = [
      (): string => `echo ${pick(['x', 'y', 'zz'])} > ${pick(paths)}`,
      (): string => `echo ${pick(['x', 'y'])} >> ${pick(paths)}`,
      (): string => `rm -rf ${pick(paths)}`,
      (): string => `mkdir -p ${pick(paths)}`,
      (): string => `mv -T ${pick(paths)} ${pick(paths)}`,
      (): string => `ln -sfn ${pick(['a', '../x', '/etc/passwd', 'top'])} ${pick(paths)}`,
      (): string => `test -d ${pick(paths)} || chmod ${pick(['600', '755', '640'])} ${pick(['top', 'bin', 'a/one'])}`,
      (): string => `cp ${pick(['top', 'bin', 'a/one'])} ${pick(paths)}`,
      (): string => `touch -d 2020-01-01 ${pick(paths)}`,
    ];
    for (let round = 0; round < inSoak(30, 8); round++) {
      const script = Array.from({ length: 1 + pick([1, 2, 4, 8, 12]) }, () => `{ ${pick(steps)()}; } 2>/dev/null`).join('\n');
      // External link targets are read-only in both cases and not compared.
      await compare(setup, `${script.replaceAll('/etc/passwd', 'nowhere')}\ntrue`);
    }
  }, 600_000);

  test('reports any concurrent change and applies nothing', async () => {
    const changes: [string, string][] = [
      ['echo y >> a/one', 'echo by hand >> a/one'],
      ['rm -r a', 'echo x > a/b/c/later'],
      ['rm -r a', 'rm a/b/two'],
      ['echo x > a/new', 'echo mine > a/new'],
      ['echo x > a/new', 'mv a elsewhere && ln -s elsewhere a'],
      ['chmod 600 top', 'touch top'],
      ['rm link', 'ln -sfn other link'],
    ];
    for (const [script, meanwhile] of changes) {
      const [workspace] = await twins(base, ++count, setup);
      await onStage(workspace, script, async (found, stage) => {
        expect(await whyStale(found, workspace, exactFiles)).toBeUndefined();
        execFileSync('sh', ['-c', meanwhile], { cwd: workspace });
        const now = await picture(workspace);
        expect(await whyStale(found, workspace, exactFiles), meanwhile).toMatch(/meanwhile|moved or replaced/);
        const parts = { from: stage.workspace.upper, to: workspace, exactFiles, mark: createApplyMark(), record: () => Promise.resolve() };
        await expect(applyChanges(found, parts)).rejects.toThrow('Nothing was applied');
        expect(await picture(workspace)).toEqual(now);
      });
    }
  });

  test('detects a change made during the preview', async () => {
    const [workspace] = await twins(base, ++count, setup);
    await expect(onStage(workspace, 'echo y >> a/one', () => Promise.resolve())).resolves.toBeUndefined();
    const stages = join(base, 'stages');
    const stage = await openStage(workspace, join(base, 'tmp'), { stages, processes: noMarks, count: ++count });
    runOn(stage, workspace, 'echo y >> a/one');
    await writeFile(join(workspace, 'a/one'), 'by hand');
    await expect(readChanges(stage.workspace, { ...limits, since: stage.since })).rejects.toThrow('a/one was changed meanwhile');
    await stage.drop();
  });

  test('reports unsupported changes: pipes, hard links, and too many or too large files', async () => {
    const why = async (make: string, script: string, most = limits): Promise<string> => {
      const [workspace] = await twins(base, ++count, make);
      const stages = join(base, 'stages');
      await mkdir(join(base, 'tmp'), { recursive: true });
      await mkdir(stages, { recursive: true });
      const stage = await openStage(workspace, join(base, 'tmp'), { stages, processes: noMarks, count: ++count });
      try {
        runOn(stage, workspace, script);
        return await readChanges(stage.workspace, most).then(
          () => 'none',
          (fault: Error) => fault.message,
        );
      } finally {
        await stage.drop();
      }
    };
    expect(await why('true', 'mkfifo p')).toContain('p is a pipe');
    expect(await why('echo x > f; ln f ../other-name', 'echo y >> f')).toContain('hard links');
    expect(await why('mkdir d; echo x > d/f; ln d/f g', 'mv d e')).toContain('hard links');
    expect(await why('true', 'for i in 1 2 3 4 5; do echo > $i; done', { ...limits, changes: 3 })).toContain('more than 3 files');
    expect(await why('true', 'head -c 2000000 /dev/zero > f', { ...limits, bytes: 1024 * 1024 })).toContain('more than 1 MB');
    expect(await why('mkdir d', 'mkdir d/s; chmod 000 d/s; chmod 755 d/s')).toBe('none');
  });

  test('removes an inaccessible folder', async () => {
    const [workspace] = await twins(base, ++count, 'true');
    await onStage(workspace, 'mkdir -p s/t; echo x > s/t/x; chmod 000 s/t', () => Promise.resolve());
    await chmod(workspace, 0o755);
    await cp(workspace, join(base, 'copy'), { recursive: true });
  });
});
