// Tests recovery when applying previewed changes is cut off at any step: the next start completes it or nothing was applied. Later edits stay.
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ExactFiles } from 'agent-harness/plugins/exact-files';
import { createExactFiles } from '../../../plugins/exact-files/exact-files.ts';
import { applyChanges, createApplyMark } from '../../../builtins/turn/effect-preview/apply-changes.ts';
import { beginApplication, endApplication, noteApplication } from '../../../builtins/turn/effect-preview/application-record.ts';
import { openStage, type Stage } from '../../../builtins/turn/effect-preview/stage.ts';
import { readChanges, type TreeChange } from '../../../builtins/turn/effect-preview/tree-changes.ts';
import { title, whyNot } from '../../unit/builtins/effect-preview/overlay-tests.ts';
import { limits, noMarks, picture, runOn, setup, twins } from '../../unit/builtins/effect-preview/stage-world.ts';

const exactFiles = createExactFiles();
const context = { chatId: 'chat', turnId: 'turn', callId: 'call' };
let base: string;
let count = 0;
let cancelled: string[];
const services = {
  exactFiles,
  checkpoints: {
    cancel: (_: object, path: string) => {
      cancelled.push(path);
      return Promise.resolve();
    },
  },
};

/** File access that fails after that many steps. */
function dyingAfter(steps: number): ExactFiles {
  let left = steps;
  return {
    ...exactFiles,
    within(path, work) {
      if (left-- <= 0) return Promise.reject(new Error('killed'));
      return exactFiles.within(path, work);
    },
  };
}

async function apply(changes: readonly TreeChange[], stage: Stage, to: string, files: ExactFiles): Promise<'whole' | 'cut'> {
  const mark = createApplyMark();
  noteApplication(stage.folder, { context, workspace: to, tmp: stage.tmp.base, mark, changes, tmpChanges: [] });
  const record = (): Promise<void> => Promise.resolve(beginApplication(stage.folder));
  return applyChanges(changes, { from: stage.workspace.upper, to, exactFiles: files, mark, record }).then(
    () => 'whole',
    () => 'cut',
  );
}

async function stageOf(workspace: string, script: string): Promise<Stage> {
  const [stages, tmp] = [join(base, 'stages'), join(base, 'tmp')];
  await Promise.all([stages, tmp].map((folder) => mkdir(folder, { recursive: true })));
  const stage = await openStage(workspace, tmp, { stages, processes: noMarks, count: ++count });
  runOn(stage, workspace, script);
  return stage;
}

describe.skipIf(whyNot !== undefined)(title, () => {
  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'killed-')));
    cancelled = [];
  });
  afterEach(async () => {
    await rm(base, { recursive: true, force: true });
  });

  test.each([
    ['new, edited, deleted, moved', 'echo n > n; echo more >> a/one; rm a/b/two; mv top d/; chmod 600 bin; touch -d 2020-01-01 node_modules/x/i.js'],
    ['swapped folders and files', 'rm -r a; echo file > a; rm top; mkdir -p top/in; echo x > top/in/x; rm link; mkdir link; echo y > link/y'],
    ['recreated', 'rm -r a/b; mkdir a/b; echo new > a/b/new; rm out; ln -s nowhere out; mkdir -p p/q; chmod 700 d'],
    ['hard links', 'mkdir h; echo h > h/1; ln h/1 h/2; ln h/1 d/3; rm bin'],
  ])('completes %s after a cut at any step, or applies nothing', async (_, script) => {
    for (let steps = 0, isWhole = false; !isWhole; steps++) {
      const [one, other] = await twins(base, ++count, setup);
      execFileSync('sh', ['-c', script], { cwd: one, stdio: 'pipe' });
      const stage = await stageOf(other, script);
      try {
        const before = await picture(other);
        const changes = await readChanges(stage.workspace, { ...limits, since: stage.since });
        isWhole = (await apply(changes, stage, other, dyingAfter(steps))) === 'whole';
        const ended = await endApplication(stage.folder, services);
        expect(ended?.left).toEqual([]);
        expect(await picture(other), `after ${steps} steps`).toEqual(ended?.isNothing ? before : await picture(one));
        // Another kill during recovery changes nothing: recovery runs again.
        expect((await endApplication(stage.folder, services))?.left).toEqual([]);
        expect(await picture(other), `after ${steps} steps, twice`).toEqual(ended?.isNothing ? before : await picture(one));
      } finally {
        await stage.drop();
      }
    }
  });

  test('discards changes that were recorded but not begun and cancels their checkpoint', async () => {
    const [workspace] = await twins(base, ++count, setup);
    const stage = await stageOf(workspace, 'echo more >> a/one; mkdir new');
    const changes = await readChanges(stage.workspace, limits);
    noteApplication(stage.folder, { context, workspace, tmp: stage.tmp.base, mark: 'mark', changes, tmpChanges: [] });
    expect(await endApplication(stage.folder, services)).toMatchObject({ isNothing: true, count: 2 });
    expect(cancelled).toEqual([join(workspace, 'a/one')]);
    await stage.drop();
  });

  test('leaves files edited between the kill and the next start unchanged and lists them', async () => {
    const [workspace] = await twins(base, ++count, setup);
    const stage = await stageOf(workspace, 'echo more >> a/one; echo more >> a/b/two; rm -r d node_modules; echo n > n');
    const changes = await readChanges(stage.workspace, limits);
    expect(await apply(changes, stage, workspace, dyingAfter(changes.length + 1))).toBe('cut');
    await writeFile(join(workspace, 'a/b/two'), 'by hand\n');
    await writeFile(join(workspace, 'n'), 'mine\n');
    const ended = await endApplication(stage.folder, services);
    expect(ended?.left.toSorted()).toEqual(['a/b/two', 'n']);
    expect(await readFile(join(workspace, 'a/one'), 'utf8')).toBe('one\nmore\n');
    expect(await readFile(join(workspace, 'a/b/two'), 'utf8')).toBe('by hand\n');
    expect(await readFile(join(workspace, 'n'), 'utf8')).toBe('mine\n');
    await stage.drop();
  });
});
