// Implements the `storage` service: reads, writes and changes files of the home folder.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { cp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { KernelError } from 'agent-harness/kernel';
import { createSerialQueues } from '#lib/async';
import { hasCode, isMissing } from '#lib/errors';
import { flushFolder } from '#lib/files';
import type { Shape, Storage, WriteOptions } from 'agent-harness/plugins/storage';
import { filesAtOnce } from './at-once.ts';
import { makeFolder, writeAtomically, type UnderWay } from './atomic-file.ts';
import { createFileLocks, waitMs } from './file-lock.ts';
import { holdProcessLock } from './process-lock.ts';
import type { Ids } from './ids.ts';
import { removeTemporaryFiles } from './temporary-files.ts';
import { createLineFile } from './line-file.ts';
import { parseJson } from './parse-json.ts';
import type { Refusals } from './refusals.ts';
import { watchFile } from './watch-file.ts';

export interface StorageParts {
  readonly ids: Ids;
  readonly locked: (path: string, holder: number | undefined) => KernelError;
  readonly busy: (path: string, ms: number, cause: unknown) => KernelError;
  readonly reportCorrupt: (path: string, aside: string, what: string) => void;
  readonly refusals: Refusals;
  readonly warn: (message: string) => void;
}

const defaultMode = 0o600;
/** Maximum size in bytes of a file that is read synchronously, which takes a few µs instead of a hundred in the thread pool. */
const smallFile = 256 * 1024;

export function createStorage(parts: StorageParts): Storage {
  const { refusals } = parts;
  const locks = createFileLocks(parts.warn);
  const { run: inTurn } = createSerialQueues<string>();
  const underWay: UnderWay = new Set();

  async function readText(path: string): Promise<string | undefined> {
    try {
      const stats = statSync(path, { throwIfNoEntry: false });
      if (!stats) return undefined;
      return stats.isFile() && stats.size <= smallFile ? readFileSync(path, 'utf8') : await readFile(path, 'utf8');
    } catch (fault) {
      if (isMissing(fault) || hasCode(fault, 'ENOTDIR')) return undefined;
      throw refusals.of(fault, path, 'UNREADABLE');
    }
  }

  async function readBytes(path: string): Promise<Buffer | undefined> {
    try {
      return await readFile(path);
    } catch (fault) {
      if (isMissing(fault) || hasCode(fault, 'ENOTDIR')) return undefined;
      throw refusals.of(fault, path, 'UNREADABLE');
    }
  }

  async function list(folder: string): Promise<string[]> {
    try {
      return await readdir(folder);
    } catch (fault) {
      if (isMissing(fault)) return [];
      throw refusals.of(fault, folder, 'UNREADABLE');
    }
  }

  async function move(from: string, to: string): Promise<void> {
    try {
      await makeFolder(dirname(to));
      await rename(from, to);
      const now = new Date();
      await utimes(to, now, now);
      // The move must survive a power cut, so both folders are flushed.
      for (const folder of new Set([dirname(to), dirname(from)])) await flushFolder(folder);
    } catch (fault) {
      throw hasCode(fault, 'ENOENT', 'ENOTEMPTY', 'EEXIST') ? fault : refusals.of(fault, from);
    }
  }

  async function copy(from: string, to: string): Promise<void> {
    try {
      await cp(from, to, { recursive: true, errorOnExist: false });
    } catch (fault) {
      if (!isMissing(fault)) throw fault;
    }
  }

  async function look<T>(path: string, shape?: Shape<T>): Promise<{ readonly value: T | undefined } | { readonly misfit: string }> {
    const text = await readText(path);
    if (text === undefined) return { value: undefined };
    let value: unknown;
    try {
      value = parseJson(text);
    } catch {
      return { misfit: 'invalid JSON' };
    }
    return !shape || shape(value) ? { value: value as T } : { misfit: 'JSON of an unexpected format' };
  }

  /** Reads a JSON file. Contract: called in the queue of its path, because a file that is being written must not be quarantined. */
  async function readJson<T>(path: string, shape?: Shape<T>): Promise<T | undefined> {
    const seen = await look(path, shape);
    if ('value' in seen) return seen.value;
    await moveAside(path, seen.misfit);
    return undefined;
  }

  async function moveAside(path: string, what: string): Promise<void> {
    const stem = `${path}.corrupt-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    let quarantinePath = stem;
    for (let next = 2; await exists(quarantinePath); next++) quarantinePath = `${stem}-${next}`;
    try {
      await rename(path, quarantinePath);
    } catch (fault) {
      if (isMissing(fault)) return; // another reader moved the file first
      throw refusals.of(fault, path);
    }
    parts.reportCorrupt(path, quarantinePath, what);
  }

  const writeFile = (path: string, content: string | Uint8Array, options: WriteOptions = {}): Promise<void> =>
    refusals.guard(path, () => writeAtomically(path, content, { mode: defaultMode, ...options, underWay }));

  /** Runs work under a lock; rejects with `STORAGE_ERR_BUSY` if the lock does not become available. */
  async function busyOr<T>(path: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (fault) {
      throw hasCode(fault, 'ELOCKED') ? parts.busy(path, waitMs, fault) : refusals.of(fault, path);
    }
  }

  async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
    const release = await busyOr(path, () => locks.wait(path));
    try {
      return await work();
    } finally {
      await release();
    }
  }

  return {
    ...parts.ids,
    readText,
    async readJson<T>(path: string, shape?: Shape<T>) {
      const seen = await look(path, shape);
      return 'value' in seen ? seen.value : inTurn(resolve(path), () => readJson(path, shape));
    },
    writeFile: (path, content, options) => inTurn(resolve(path), () => writeFile(path, content, options)),
    // Serialized before it waits in the queue: later changes to the value by the caller must have no effect.
    writeJson: async (path, value, options) => {
      const text = toText(value);
      await inTurn(resolve(path), () => writeFile(path, text, options));
    },
    updateJson: (path, change, options) =>
      inTurn(resolve(path), () =>
        withFileLock(resolve(path), async () => {
          const next = await change(await readJson(path, options?.shape));
          await writeFile(path, toText(next), options);
          return next;
        }),
      ),
    readBytes,
    has: exists,
    list,
    move,
    movedAt: async (path) => (await stat(path).catch(() => undefined))?.mtimeMs,
    copy: (from, to) => refusals.guard(to, () => copy(from, to)),
    removeFolder: (folder) => refusals.guardRemoval(folder, () => rm(folder, { recursive: true, force: true })),
    atOnce: filesAtOnce,
    createLineFile,
    removeLeftovers: (folder, signal) => removeTemporaryFiles(folder, signal, underWay),
    watchFile,
    remove: (path) => inTurn(resolve(path), () => refusals.guardRemoval(path, () => rm(path, { force: true }))),
    lock: (path) => inTurn(`${resolve(path)}.holder`, () => busyOr(path, () => holdProcessLock(resolve(path), locks, (holder) => parts.locked(path, holder)))),
    unwritable: (fault, path) => refusals.of(fault, path),
  };
}

function toText(value: unknown): string {
  const text = JSON.stringify(value, null, 2) as string | undefined;
  if (text === undefined) throw new TypeError('A file cannot hold undefined; remove it instead.');
  return `${text}\n`;
}

/** Returns whether a path exists. Synchronous, because the thread pool costs many times as much as the check. */
function exists(path: string): Promise<boolean> {
  return Promise.resolve(existsSync(path));
}
