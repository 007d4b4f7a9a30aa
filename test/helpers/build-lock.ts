// One build of this folder at a time, whichever test runs want one.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { lock } from 'proper-lockfile';

const root = join(import.meta.dirname, '../..');

/** Runs work while nobody else does. Whoever waited looks again whether there is still something to do. */
export async function whileNobodyBuilds<T>(work: () => Promise<T>, name = 'build'): Promise<T> {
  const folder = join(root, 'node_modules/.cache');
  await mkdir(folder, { recursive: true });
  const release = await lock(root, {
    lockfilePath: join(folder, `${name}.lock`),
    stale: 60_000,
    update: 5_000,
    retries: { retries: 3_000, factor: 1, minTimeout: 200, maxTimeout: 200 },
    onCompromised: () => undefined,
  });
  try {
    return await work();
  } finally {
    await release().catch(() => undefined);
  }
}
