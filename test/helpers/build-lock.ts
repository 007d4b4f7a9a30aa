// Serializes builds of this folder between test runs.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

// No project module is imported: this runs without a build and before the project's own module names can be resolved.
const root = join(import.meta.dirname, '../..');

/** Runs `work` under the lock. A caller that had to wait checks again whether work is left. */
export async function whileNobodyBuilds<T>(work: () => Promise<T>, name = 'build'): Promise<T> {
  const cache = join(root, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  const lock = join(cache, `${name}.lock`);
  await take(lock);
  try {
    return await work();
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}

async function take(lock: string): Promise<void> {
  for (let withoutHolder = 0; ;) {
    try {
      await mkdir(lock);
      return await writeFile(join(lock, 'holder'), String(process.pid));
    } catch (fault) {
      if ((fault as NodeJS.ErrnoException).code !== 'EEXIST') throw fault;
    }
    const holder = Number(await readFile(join(lock, 'holder'), 'utf8').catch(() => ''));
    // A process killed between the two steps left a lock without a holder.
    withoutHolder = holder > 0 ? 0 : withoutHolder + 1;
    if (withoutHolder > 10 || (holder > 0 && !isAlive(holder))) await rm(lock, { recursive: true, force: true });
    else await pause(200);
  }
}

/** Returns whether the process exists, as a running process or a zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (fault) {
    return (fault as NodeJS.ErrnoException).code === 'EPERM';
  }
}
