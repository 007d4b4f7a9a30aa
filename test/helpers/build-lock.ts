// One build of this folder at a time, whichever test runs want one.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { hasCode } from 'agent-harness/lib/errors';
import { createFileLocks, type Release } from '../../plugins/storage/file-lock.ts';

const root = join(import.meta.dirname, '../..');

/** A build keeps its process busy, so its lock is touched seldom. */
const locks = createFileLocks(() => undefined, 60_000);

/** Runs work while nobody else does. Whoever waited looks again whether there is still something to do. */
export async function whileNobodyBuilds<T>(work: () => Promise<T>, name = 'build'): Promise<T> {
  const folder = join(root, 'node_modules/.cache');
  await mkdir(folder, { recursive: true });
  const release = await takeWhenFree(join(folder, name));
  try {
    return await work();
  } finally {
    await release();
  }
}

async function takeWhenFree(path: string): Promise<Release> {
  for (;;) {
    try {
      return await locks.take(path);
    } catch (fault) {
      if (!hasCode(fault, 'ELOCKED')) throw fault;
    }
    await pause(200);
  }
}
