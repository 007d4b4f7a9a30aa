import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { createFileLocks, waitMs } from '../../../../plugins/storage/file-lock.ts';
import { holdProcessLock } from '../../../../plugins/storage/process-lock.ts';
import { inSoak } from '../../../helpers/dice.ts';
import { openStorage, type OpenStorage } from './open-storage.ts';
import { useEach } from '../../../helpers/use-opened.ts';

let children: ChildProcess[] = [];
const open = useEach(() => openStorage());
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
});

/** Another process that holds a lock for `ms` by touching its folder. */
async function lockElsewhere(path: string, ms: number): Promise<ChildProcess> {
  const code = `import { mkdirSync, rmdirSync, utimesSync } from 'node:fs'; const folder = ${JSON.stringify(`${path}.lock`)}; mkdirSync(folder);
    const touching = setInterval(() => utimesSync(folder, new Date(), new Date()), 1_000);
    process.stdout.write('held'); setTimeout(() => { clearInterval(touching); rmdirSync(folder); }, ${ms});`;
  return started(code);
}

async function started(code: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { cwd: process.cwd(), stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}

test('concurrent updates of one file are not lost', async () => {
  const path = join(open.folder, 'count.json');
  await Promise.all(Array.from({ length: 20 }, () => open.storage.updateJson<number>(path, (current) => (current ?? 0) + 1)));
  expect(await open.storage.readJson(path)).toBe(20);
  expect(await readdir(open.folder)).toEqual(['count.json']);
});

test('an update waits for another process that holds the lock', async () => {
  const path = join(open.folder, 'shared.json');
  await lockElsewhere(path, 300);
  const begun = performance.now();
  expect(await open.storage.updateJson<string>(path, async () => 'mine')).toBe('mine');
  expect(performance.now() - begun).toBeGreaterThan(150);
});

test('a throwing update writes nothing and releases the lock', async () => {
  const path = join(open.folder, 'kept.json');
  await open.storage.writeJson(path, 'old');
  const failing = open.storage.updateJson<string>(path, () => {
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  expect(await open.storage.updateJson<string>(path, (current) => `${current}er`)).toBe('older');
});

test('a lock excludes others until it is disposed', async () => {
  const path = join(open.folder, 'home');
  const lock = await open.storage.lock(path);
  await expect(open.storage.lock(path)).rejects.toMatchObject({
    code: 'STORAGE_ERR_LOCKED',
    status: 409,
    message: expect.stringContaining(String(process.pid)),
  });
  await lock.dispose();
  await lock.dispose();
  await (await open.storage.lock(path)).dispose();
  expect(await readdir(open.folder)).toEqual([]);
});

test('a lock of a dead process is free immediately', async () => {
  const path = join(open.folder, 'home');
  await mkdir(`${path}.lock`);
  const dead = await started(`process.stdout.write('up'); setInterval(() => 0, 1000);`);
  await writeFile(`${path}.holder`, JSON.stringify({ host: hostname(), pid: dead.pid, started: 'long ago' }));
  dead.kill('SIGKILL');
  await once(dead, 'exit');
  await (await open.storage.lock(path)).dispose();
});

/** Only Linux can detect a zombie process. */
test.skipIf(process.platform !== 'linux')('a lock of a zombie process is free immediately', async () => {
  const path = join(open.folder, 'home');
  // The shell execs a program that never reaps its child, like the init process of many containers.
  const parent = spawn('sh', ['-c', 'sleep 1000 & echo $!; exec sleep 1000'], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(parent);
  const pid = Number(String((await once(parent.stdout, 'data'))[0]));
  const fields = async (): Promise<string[]> => ((await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1] ?? '').split(' ');
  await mkdir(`${path}.lock`);
  await writeFile(`${path}.holder`, JSON.stringify({ host: hostname(), pid, started: (await fields())[19] }));
  await expect(open.storage.lock(path)).rejects.toMatchObject({ code: 'STORAGE_ERR_LOCKED' });
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(async () => expect((await fields())[0]).toBe('Z'), 10_000);
  await (await open.storage.lock(path)).dispose();
});

test('a reused pid does not keep a lock alive', async () => {
  const path = join(open.folder, 'home');
  await mkdir(`${path}.lock`);
  await writeFile(`${path}.holder`, JSON.stringify({ host: hostname(), pid: process.pid, started: '1' }));
  await (await open.storage.lock(path)).dispose();
});

test('the holder file is written before the lock is taken, and a failed take removes it', async () => {
  const path = join(open.folder, 'home');
  const locks = createFileLocks(() => undefined);
  const killed = new Error('killed in between');
  let signed: unknown;
  const dying = {
    ...locks,
    async take(): Promise<never> {
      signed = JSON.parse(await readFile(`${path}.holder`, 'utf8'));
      throw killed;
    },
  };
  await expect(holdProcessLock(path, dying, () => new Error('locked'))).rejects.toBe(killed);
  expect(signed).toMatchObject({ host: hostname(), pid: process.pid });
  // Without a holder there is no holder file.
  await expect(readFile(`${path}.holder`)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('respects a lock that another machine keeps fresh', async () => {
  const path = join(open.folder, 'home');
  await writeFile(`${path}.holder`, JSON.stringify({ host: 'another-machine', pid: 1, started: '' }));
  await lockElsewhere(path, 60_000);
  await expect(open.storage.lock(path)).rejects.toMatchObject({ code: 'STORAGE_ERR_LOCKED' });
});

test('a stale lock is taken over by exactly one waiter', async () => {
  const path = join(open.folder, 'abandoned.json');
  await mkdir(`${path}.lock`);
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(`${path}.lock`, longAgo, longAgo);
  const others = await Promise.all([openStorage(open.folder), openStorage(open.folder), openStorage(open.folder)]);
  const add = ({ storage }: OpenStorage): Promise<number> => storage.updateJson<number>(path, (current) => (current ?? 0) + 1);
  await Promise.all([open, ...others].flatMap((one) => [add(one), add(one), add(one)]));
  expect(await open.storage.readJson(path)).toBe(12);
  expect(await readdir(open.folder)).toEqual(['abandoned.json']);
});

test('a lock taken over by another process is reported as lost and no longer touched or removed', async () => {
  const path = join(open.folder, 'home');
  const lock = await open.storage.lock(path);
  await rm(`${path}.lock`, { recursive: true });
  await mkdir(`${path}.lock`);
  await vi.waitFor(() => expect(open.warnings).toEqual([expect.stringMatching(/The lock of '.*home' was lost: this process was suspended/)]), 10_000);
  const { mtimeMs } = await stat(`${path}.lock`);
  await lock.dispose();
  expect((await stat(`${path}.lock`)).mtimeMs).toBe(mtimeMs);
});

test('no two of many takers hold a lock at the same time', async () => {
  const path = join(open.folder, 'turns');
  let inside = 0;
  let most = 0;
  // Each simulates a separate process: they share only the folder.
  const takers = Array.from({ length: 6 }, () => createFileLocks(() => undefined));
  await Promise.all(
    takers.map(async (locks) => {
      for (let turn = 0; turn < inSoak(150, 30); turn++) {
        const release = await locks.wait(path);
        most = Math.max(most, ++inside);
        await pause(1);
        inside--;
        await release();
        await pause(Math.random() * 6);
      }
    }),
  );
  expect(most).toBe(1);
  expect(await readdir(open.folder)).toEqual([]);
}, 60_000);

test('only one of many takers gets an abandoned or empty lock', async () => {
  const path = join(open.folder, 'abandoned');
  const longAgo = new Date(Date.now() - 60_000);
  for (let turn = 0; turn < 40; turn++) {
    await mkdir(`${path}.lock`);
    if (turn % 2 === 0) await writeFile(join(`${path}.lock`, 'somebody'), '');
    await utimes(`${path}.lock`, longAgo, longAgo);
    const taken = await Promise.allSettled(Array.from({ length: 6 }, () => createFileLocks(() => undefined).take(path)));
    const releases = taken.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(releases.length).toBeLessThanOrEqual(1);
    for (const release of releases) await release();
    await rm(`${path}.lock`, { recursive: true, force: true });
  }
});

test('locking installs no signal handlers', async () => {
  const before = process.listenerCount('SIGTERM');
  await (await open.storage.lock(join(open.folder, 'home'))).dispose();
  expect(process.listenerCount('SIGTERM')).toBe(before);
});

test('reports a persistently locked file as busy', async () => {
  const path = join(open.folder, 'stuck.json');
  await lockElsewhere(path, 60_000);
  // The retry time is over after the first attempt.
  const clock = vi
    .spyOn(performance, 'now')
    .mockReturnValueOnce(0)
    .mockReturnValue(waitMs + 1);
  await expect(open.storage.updateJson(path, () => 1)).rejects.toMatchObject({ code: 'STORAGE_ERR_BUSY', status: 503 });
  clock.mockRestore();
});
