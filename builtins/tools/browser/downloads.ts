// Tracks one download of the browser, and aborts it if it is too large or takes too long.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { withLimit } from '#lib/async';
import { oneLine } from '#lib/text';
import type { Download } from 'playwright-core';

export type DownloadEnd = { readonly name: string; readonly bytes: Uint8Array } | { readonly name: string; readonly why: string };

const maxBytes = 20 * 1024 * 1024;
const maxMs = 30_000;
const pollMs = 100;

/** Waits for the end of a download. Contract: never rejects. Deletes the downloaded file; the result contains its content. */
export async function watchDownload(download: Download, folder: string): Promise<DownloadEnd> {
  const name = oneLine(download.suggestedFilename(), 120);
  const path = download.path().catch(() => undefined);
  const end = performance.now() + maxMs;
  let why: string | undefined;
  try {
    while (
      (await withLimit(
        path.then(() => 'over' as const),
        pollMs,
        () => 'running' as const,
      )) === 'running'
    ) {
      if ((await sizeOf(folder)) > maxBytes) why = tooLarge;
      else if (performance.now() > end) why = `it took more than ${maxMs / 1000} s`;
      if (why !== undefined) break;
    }
    if (why !== undefined) {
      await download.cancel();
      return { name, why };
    }
    return await take(name, await path);
  } catch {
    return { name, why: 'it failed' };
  } finally {
    await download.delete().catch(() => undefined);
  }
}

const tooLarge = `it is larger than ${maxBytes / 1024 / 1024} MB`;

async function take(name: string, path: string | undefined): Promise<DownloadEnd> {
  if (path === undefined) return { name, why: 'it failed' };
  if ((await stat(path)).size > maxBytes) return { name, why: tooLarge };
  return { name, bytes: await readFile(path) };
}

/** Returns the size of the folder in bytes, so that concurrent downloads share one limit. */
async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
