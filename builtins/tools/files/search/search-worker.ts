// Searches lines of files in a worker thread.
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { Search } from './line-scan.ts';
import { createChunk, searchOpened } from './search-opened.ts';
import type { FoundLine, ThreadMessage, ThreadTask, ThreadWork } from './search-thread.ts';

const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
const post = (message: ThreadMessage): void => parentPort?.postMessage(message);

function serve(task: ThreadTask): void {
  const required = task.required === undefined ? undefined : new RegExp(task.required, task.flags);
  const search: Search = { task, expression: new RegExp(task.source, task.flags), required, hits: 0 };
  const chunk = createChunk();
  parentPort?.on('message', ({ first, paths }: ThreadWork) => {
    const skipped: number[] = [];
    const linked: number[] = [];
    search.hits = 0;
    for (const [index, path] of paths.entries()) {
      Atomics.store(task.progress, 0, first + index);
      const found = searchPath(path, chunk, search);
      if (found === 'skipped') skipped.push(first + index);
      else if (found === 'linked') linked.push(first + index);
      else if (found.length > 0) post({ kind: 'hits', index: first + index, lines: found });
      if (search.hits >= task.maxHits) break;
    }
    Atomics.store(task.progress, 0, -1);
    post({ kind: 'end', first, hits: search.hits, skipped, linked });
  });
}

function searchPath(path: string, chunk: Buffer, search: Search): readonly FoundLine[] | 'skipped' | 'linked' {
  let file: number | undefined;
  const before = search.hits;
  try {
    file = openSync(path, flags);
    const stats = fstatSync(file);
    const found = searchOpened(file, stats, chunk, search);
    if (found.length === 0 || isExactly(path, file, stats, search.task)) return found;
    // Reports nothing about a file that replaced the expected one, not even whether it contains a match.
    search.hits = before;
    return [];
  } catch {
    return 'skipped'; // removed in the meantime, or not readable by the server
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Returns whether this is the file at the path, as opposed to the target of a link that was created there. */
function isExactly(path: string, file: number, stats: Stats, { reportsPaths }: ThreadTask): boolean {
  if (reportsPaths) return readlinkSync(`/proc/self/fd/${file}`) === path;
  const there = lstatSync(path);
  return there.ino === stats.ino && there.dev === stats.dev && realpathSync.native(path) === path;
}

serve(workerData as ThreadTask);
