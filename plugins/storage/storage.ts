// The service `storage`: reading, writing and changing files of the home folder.
import { readFileSync, statSync } from 'node:fs';
import { access, readFile, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { KernelError } from 'agent-harness/kernel';
import type { Storage, WriteOptions } from 'agent-harness/plugins/storage';
import { hasCode, isMissing, writeAtomically, type UnderWay } from './atomic-file.ts';
import { createFileLocks, waitMs } from './file-lock.ts';
import { holdLock } from './held-lock.ts';
import type { Ids } from './ids.ts';
import { removeLeftovers } from './leftovers.ts';
import { createLineFile } from './line-file.ts';
import { parseJson } from './parse-json.ts';
import { createPathQueues } from './path-queue.ts';
import { watchFile } from './watch-file.ts';

export interface StorageParts {
  readonly ids: Ids;
  readonly locked: (path: string, holder: number | undefined) => KernelError;
  readonly busy: (path: string, ms: number, cause: unknown) => KernelError;
  readonly reportCorrupt: (path: string, aside: string) => void;
  readonly warn: (message: string) => void;
}

const defaultMode = 0o600;
/** Bytes that are read at once: that takes some µs, trips through the thread pool take a hundred each. */
const smallFile = 256 * 1024;

export function createStorage(parts: StorageParts): Storage {
  const locks = createFileLocks(parts.warn);
  const inTurn = createPathQueues();
  const underWay: UnderWay = new Set();

  async function readText(path: string): Promise<string | undefined> {
    try {
      const stats = statSync(path, { throwIfNoEntry: false });
      if (!stats) return undefined;
      return stats.isFile() && stats.size <= smallFile ? readFileSync(path, 'utf8') : await readFile(path, 'utf8');
    } catch (fault) {
      if (isMissing(fault) || hasCode(fault, 'ENOTDIR')) return undefined;
      throw fault;
    }
  }

  async function readJson(path: string): Promise<unknown> {
    const text = await readText(path);
    if (text === undefined) return undefined;
    try {
      return parseJson(text);
    } catch {
      await moveAside(path);
      return undefined;
    }
  }

  async function moveAside(path: string): Promise<void> {
    const stem = `${path}.corrupt-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    let aside = stem;
    for (let next = 2; await exists(aside); next++) aside = `${stem}-${next}`;
    try {
      await rename(path, aside);
    } catch (fault) {
      if (isMissing(fault)) return; // another reader was faster
      throw fault;
    }
    parts.reportCorrupt(path, aside);
  }

  const writeFile = (path: string, content: string | Uint8Array, options: WriteOptions = {}): Promise<void> =>
    writeAtomically(path, content, options.mode ?? defaultMode, underWay);

  async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
    const release = await locks.wait(path).catch((fault: unknown) => {
      throw hasCode(fault, 'ELOCKED') ? parts.busy(path, waitMs, fault) : fault;
    });
    try {
      return await work();
    } finally {
      await release();
    }
  }

  return {
    ...parts.ids,
    readText,
    readJson: (path) => readJson(path) as Promise<never>,
    writeFile: (path, content, options) => inTurn(resolve(path), () => writeFile(path, content, options)),
    // Text is made before the queue, so that it is the value of now even if the caller changes it while waiting.
    writeJson: async (path, value, options) => {
      const text = toText(value);
      await inTurn(resolve(path), () => writeFile(path, text, options));
    },
    updateJson: (path, change, options) =>
      inTurn(resolve(path), () =>
        withFileLock(resolve(path), async () => {
          const next = await change((await readJson(path)) as never);
          await writeFile(path, toText(next), options);
          return next;
        }),
      ),
    createLineFile,
    removeLeftovers: (folder, signal) => removeLeftovers(folder, signal, underWay),
    watchFile,
    remove: (path) => inTurn(resolve(path), () => rm(path, { force: true })),
    lock: (path) => inTurn(`${resolve(path)}.holder`, () => holdLock(resolve(path), locks, (holder) => parts.locked(path, holder))),
  };
}

function toText(value: unknown): string {
  const text = JSON.stringify(value, null, 2) as string | undefined;
  if (text === undefined) throw new TypeError('A file cannot hold undefined; remove it instead.');
  return `${text}\n`;
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
