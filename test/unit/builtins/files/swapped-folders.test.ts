// Tests file tools while a program replaces folders with links: a tool opens the file that was checked, or none.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { link, mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renameSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ExactFiles } from '../../../../plugins/exact-files/contract.ts';
import { createExactFiles, locationMethod, type LocationMethod } from '../../../../plugins/exact-files/exact-files.ts';
import { openUndoBench, type UndoBench } from '../checkpoints/undo-bench.ts';

const secret = 'the secret of somebody else';
const ways = locationMethod() === 'descriptors' ? (['descriptors', 'identities'] as const) : (['identities'] as const);

let bench: UndoBench;
let swapAt: readonly (keyof ExactFiles)[] = [];
const at = (path: string): string => join(bench.workspace, path);
const outside = (path = ''): string => join(bench.workspace, '..', 'outside', path);

/** File operations that swap the folder once, after all path checks. */
function swapping(kind: LocationMethod): ExactFiles {
  const real = createExactFiles(kind);
  const swapFirst = <A extends unknown[], R>(name: keyof ExactFiles, work: (...args: A) => R): ((...args: A) => R) => {
    return (...args) => {
      if (swapAt.includes(name)) {
        swapAt = [];
        swap();
      }
      return work(...args);
    };
  };
  return {
    ...real,
    open: swapFirst('open', real.open),
    list: swapFirst('list', real.list),
    stat: swapFirst('stat', real.stat),
    replace: swapFirst('replace', real.replace),
    remove: swapFirst('remove', real.remove),
  };
}

async function open(kind: LocationMethod): Promise<void> {
  bench = await openUndoBench({ exactFiles: swapping(kind) });
  swapAt = [];
  await mkdir(outside());
  await mkdir(at('folder'));
  for (const folder of [outside(), at('folder')]) await writeFile(join(folder, 'a.txt'), folder === outside() ? `${secret}\n` : 'mine\n');
  await writeFile(outside('only-there.txt'), secret);
}

function swap(): void {
  renameSync(at('folder'), at('aside'));
  symlinkSync(outside(), at('folder'));
}

const calls: readonly (readonly [name: string, args: object])[] = [
  ['read_file', { path: 'folder/a.txt' }],
  ['list_dir', { path: 'folder' }],
  ['find_files', { path: 'folder', pattern: '*' }],
  ['grep_files', { path: 'folder', pattern: 'secret' }],
  ['grep_files', { path: 'folder/a.txt', pattern: 'secret' }],
  ['write_file', { path: 'folder/a.txt', content: 'overwritten' }],
  ['write_file', { path: 'folder/a.txt', content: 'more', mode: 'append' }],
  ['write_file', { path: 'folder/new/b.txt', content: 'new' }],
  ['edit_file', { path: 'folder/a.txt', edits: [{ search: 'e', replace: 'E', all: true }] }],
];

describe.each(ways)('file checks by %s', (kind) => {
  beforeEach(() => open(kind));

  const nothingHappenedOutside = async (): Promise<void> => {
    expect((await readdir(outside())).sort()).toEqual(['a.txt', 'only-there.txt']);
    expect(await readFile(outside('a.txt'), 'utf8')).toBe(`${secret}\n`);
  };

  test.each(calls)('%s %j: rejects the call after a swap between decision and call', async (name, args) => {
    expect(await bench.asks(name, args, 'call_1')).toBeUndefined();
    swap();
    const outcome = await bench.run(name, args, { callId: 'call_1' });
    expect(JSON.stringify(outcome)).not.toContain(secret);
    expect(JSON.stringify(outcome)).not.toContain('only-there');
    expect(outcome).toMatchObject({ ok: false });
    await nothingHappenedOutside();
  });

  test.each(calls)('%s %j: does not reach the link target after a swap between the last check and the open', async (name, args) => {
    swapAt = ['open', 'list', 'stat', 'replace'];
    const outcome = await bench.run(name, args);
    expect(JSON.stringify(outcome)).not.toContain(secret);
    expect(JSON.stringify(outcome)).not.toContain('only-there');
    await nothingHappenedOutside();
  });

  test('a swap before the last step of a write writes nothing', async () => {
    swapAt = ['replace'];
    expect(await bench.error('write_file', { path: 'folder/a.txt', content: 'x' })).toContain('moved or replaced');
    await rm(at('folder'));
    await symlink(at('aside'), at('folder'));
    await nothingHappenedOutside();
    expect(await readFile(at('aside/a.txt'), 'utf8')).toBe('mine\n');
  });

  test('an approval applies only to the file that was approved', async () => {
    const path = '../outside/a.txt';
    expect(await bench.asks('read_file', { path }, 'call_1')).toContain('outside the workspace');
    await rm(outside('a.txt'));
    await writeFile(join(bench.home, 'web_token'), 'token');
    await symlink(outside('only-there.txt'), outside('a.txt'));
    expect(await bench.error('read_file', { path }, { callId: 'call_1' })).toContain('after the decision');
    expect(await bench.output('read_file', { path }, { callId: 'call_2' })).toContain(secret);
  });

  test('does not read a file that became a hard link after the decision', async () => {
    expect(await bench.asks('read_file', { path: 'folder/a.txt' }, 'call_1')).toBeUndefined();
    await rm(at('folder/a.txt'));
    await link(outside('a.txt'), at('folder/a.txt'));
    // With identity checks alone, it is already another file.
    expect(await bench.error('read_file', { path: 'folder/a.txt' }, { callId: 'call_1' })).toMatch(/was moved or replaced/);
  });

  test.each(['stat', 'open', 'replace'] as const)('undo writes nothing through a link swapped in before its %s', async (name) => {
    await bench.output('write_file', { path: 'folder/a.txt', content: 'changed' });
    await writeFile(outside('a.txt'), 'changed');
    swapAt = [name];
    expect(await bench.undo()).toMatchObject({ restored: [], conflicts: ['folder/a.txt'] });
    expect(await readFile(outside('a.txt'), 'utf8')).toBe('changed');
  });

  test.each(['stat', 'open', 'remove'] as const)('undo removes nothing through a link swapped in before its %s', async (name) => {
    await bench.output('write_file', { path: 'folder/only-there.txt', content: secret });
    swapAt = [name];
    expect(await bench.undo()).toMatchObject({ restored: [], conflicts: ['folder/only-there.txt'] });
    expect(await readFile(outside('only-there.txt'), 'utf8')).toBe(secret);
  });
});

describe('a workspace with continuous swaps', () => {
  let swapper: ChildProcess | undefined;

  beforeEach(() => open(locationMethod()));
  afterEach(stop);

  async function stop(): Promise<void> {
    if (!swapper || swapper.exitCode !== null || swapper.signalCode !== null) return;
    swapper.kill('SIGKILL');
    await once(swapper, 'exit');
  }

  test('no read or write leaves the workspace', async () => {
    const code = `const fs = require('fs');
      process.stdout.write('ready');
      let turns = 0;
      for (;;) {
        try {
          fs.renameSync('folder', 'aside');
          fs.symlinkSync(${JSON.stringify(outside())}, 'folder');
          fs.unlinkSync('folder');
          fs.renameSync('aside', 'folder');
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, turns++ % 4);
        } catch {
          try {
            // A write made the folder anew while it was away, and another may do so now.
            for (const name of ['folder', 'aside']) fs.rmSync(name, { recursive: true, force: true });
            fs.mkdirSync('folder');
            fs.writeFileSync('folder/a.txt', 'mine\\n');
          } catch {}
        }
      }`;
    swapper = spawn(process.execPath, ['-e', code], { cwd: bench.workspace, stdio: ['ignore', 'pipe', 'ignore'] });
    await once(swapper.stdout!, 'data');
    for (let round = 0; round < 250; round++) {
      for (const [name, args] of [calls[0]!, calls[1]!, calls[5]!, calls[8]!]) {
        const callId = `call_${round}_${name}`;
        const asked = await bench.asks(name, args, callId);
        if (asked !== undefined) continue;
        const outcome = await bench.run(name, args, { callId });
        expect(JSON.stringify(outcome)).not.toMatch(/secret|only-there/);
      }
    }
    expect(swapper.exitCode).toBeNull();
    await stop();
    expect((await readdir(outside())).sort()).toEqual(['a.txt', 'only-there.txt']);
    expect(await readFile(outside('a.txt'), 'utf8')).toBe(`${secret}\n`);
    await rm(at('folder'), { recursive: true, force: true });
    for (const [name, args] of [calls[5]!, calls[0]!, calls[1]!, calls[8]!]) expect(await bench.run(name, args), name).toMatchObject({ ok: true });
  });
});
