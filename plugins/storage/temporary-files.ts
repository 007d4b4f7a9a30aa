// Removes temporary files of the home folder whose writer was killed before the rename.
import { opendir, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { hasCode, isMissing } from '#lib/errors';
import { isOfEarlier, type UnderWay } from './atomic-file.ts';
import { startOf } from './process-start.ts';

/** Matches the names of temporary files of all writers: `.name.<pid>-<hex>.tmp` of whole files, `name.<pid>.tmp` and `name.<pid>-<number>.tmp` of others. */
const temporaryName = /^.+\.([1-9]\d{0,9})(?:-[0-9a-f]{1,12})?\.tmp$/;
/** Names of folders of users or programs, whose files are never removed. */
const foreign: ReadonlySet<string> = new Set(['workspace', 'plugins', 'skills', 'node_modules', '.git']);

/** Removes the files recursively. Follows no links. Ends early when `signal` aborts. Returns the number of removed files. */
export async function removeTemporaryFiles(folder: string, signal: AbortSignal, underWay: UnderWay): Promise<number> {
  const living = new Map<number, Promise<boolean>>();
  const lives = (pid: number): Promise<boolean> => {
    const known = living.get(pid) ?? startOf(pid).then((start) => start !== undefined);
    living.set(pid, known);
    return known;
  };
  async function sweep(at: string): Promise<number> {
    let count = 0;
    for await (const entry of await opendir(at)) {
      if (signal.aborted) return count;
      const path = join(at, entry.name);
      try {
        if (entry.isDirectory() && !foreign.has(entry.name)) count += await sweep(path);
        const pid = entry.isFile() ? Number(temporaryName.exec(entry.name)?.[1]) : NaN;
        if (Number.isNaN(pid) || !(pid === process.pid ? isOfEarlier(path, underWay) : !(await lives(pid)))) continue;
        await unlink(path);
        count += 1;
      } catch (fault) {
        // The folder was removed in the meantime, or is not accessible.
        if (!isMissing(fault) && !hasCode(fault, 'EACCES', 'EPERM')) throw fault;
      }
    }
    return count;
  }
  return sweep(resolve(folder));
}
