// What runs in the search thread. Its source text is handed over, so it refers to nothing outside of itself.
import type * as Fs from 'node:fs';
import type * as Threads from 'node:worker_threads';
import type { FileHits, WorkerMessage, WorkerTask } from './line-search.ts';
import type { TextForm } from './text-form.ts';

type Require = (name: string) => unknown;

export function runSearchWorker(load: Require, textFormOf: (bytes: Uint8Array, isCut: boolean) => TextForm | undefined): void {
  const threads = load('node:worker_threads') as typeof Threads;
  const { closeSync, fstatSync, lstatSync, openSync, readlinkSync, readSync, realpathSync, constants } = load('node:fs') as typeof Fs;
  const task = threads.workerData as WorkerTask;
  const expression = new RegExp(task.source, task.flags);
  const maxFileBytes = 2 * 1024 * 1024;
  const maxMatchedLine = 10_000;
  let hits = 0;
  let skipped = 0;
  let linked = 0;

  const say = (message: WorkerMessage): void => threads.parentPort?.postMessage(message);

  /** Whether this is what stands at the path, and not what a link that was put on the way leads to. */
  const isExactly = (path: string, file: number, stats: Fs.Stats): boolean => {
    if (task.tellsPaths) return readlinkSync(`/proc/self/fd/${file}`) === path;
    const there = lstatSync(path);
    return there.ino === stats.ino && there.dev === stats.dev && realpathSync.native(path) === path;
  };

  const readText = (path: string): string | undefined => {
    let file: number | undefined;
    try {
      file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
      const stats = fstatSync(file);
      if (!isExactly(path, file, stats) || !stats.isFile() || stats.size > maxFileBytes) return undefined;
      if (stats.nlink > 1 && !task.mayHaveOtherNames) {
        linked++;
        return undefined;
      }
      const bytes = Buffer.allocUnsafe(stats.size);
      const read = stats.size === 0 ? 0 : readSync(file, bytes, 0, stats.size, 0);
      const content = bytes.subarray(0, read);
      const form = textFormOf(content, false);
      if (!form) return undefined;
      return form.encoding === 'utf-8' ? content.toString('utf8') : new TextDecoder(form.encoding).decode(content.subarray(form.mark));
    } catch {
      return undefined; // gone meanwhile, or not ours to read: counted as skipped
    } finally {
      if (file !== undefined) closeSync(file);
    }
  };

  const shorten = (line: string): string => {
    if (line.length <= task.maxShownLine) return line;
    const found = expression.exec(line.slice(0, maxMatchedLine))?.index ?? 0;
    const from = Math.max(0, found - Math.floor(task.maxShownLine / 4));
    return `${from > 0 ? '…' : ''}${line.slice(from, from + task.maxShownLine)}…`;
  };

  const hitsOf = (path: string, text: string): FileHits | undefined => {
    const all = text.split('\n');
    if (all.at(-1) === '') all.pop();
    const chosen = new Map<number, boolean>();
    for (let index = 0; index < all.length && hits < task.maxHits; index++) {
      const line = all[index] ?? '';
      if (!expression.test(line.length > maxMatchedLine ? line.slice(0, maxMatchedLine) : line.endsWith('\r') ? line.slice(0, -1) : line)) continue;
      hits++;
      for (let near = Math.max(0, index - task.context); near <= Math.min(all.length - 1, index + task.context); near++) {
        chosen.set(near, near === index || chosen.get(near) === true);
      }
    }
    if (chosen.size === 0) return undefined;
    const lines = [...chosen].map(([index, isHit]) => ({ number: index + 1, text: shorten((all[index] ?? '').replace(/\r$/, '')), isHit }));
    return { path, lines };
  };

  for (let index = 0; index < task.paths.length && hits < task.maxHits; index++) {
    const path = task.paths[index] ?? '';
    Atomics.store(task.progress, 0, index);
    const text = readText(path);
    if (text === undefined) {
      skipped++;
      continue;
    }
    const file = hitsOf(path, text);
    if (file) say({ kind: 'hits', file });
  }
  say({ kind: 'end', isFull: hits >= task.maxHits, skipped: skipped - linked, linked });
}
