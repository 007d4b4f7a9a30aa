// Checks whether a process is alive, and returns its start time.
import { readFile } from 'node:fs/promises';
import { hasCode } from '#lib/errors';

/** States of a process whose parent has not reaped it yet: a zombie, or one that is being removed. */
const ended: ReadonlySet<string> = new Set(['Z', 'X', 'x']);

/**
 * Returns the start time of a process in clock ticks after boot, empty if the system does not report it; `undefined` if the process is not alive (a zombie is
 * not). Process ids are reused, but never together with the same start time.
 */
export async function startOf(pid: number): Promise<string | undefined> {
  if (!isRunning(pid)) return undefined;
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in brackets, which may contain any text; the third is the state, the 22nd `starttime`.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ended.has(fields[0] ?? '') ? undefined : (fields[19] ?? '');
  } catch {
    return ''; // the system has no such table
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (fault) {
    return hasCode(fault, 'EPERM');
  }
}
