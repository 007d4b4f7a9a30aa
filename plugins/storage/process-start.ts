// Whether a process lives, and since when.
import { readFile } from 'node:fs/promises';
import { hasCode } from 'agent-harness/lib/errors';

/** States of a process that only waits for its parent to ask after it: a zombie, and one that is being removed. */
const ended: ReadonlySet<string> = new Set(['Z', 'X', 'x']);

/**
 * Start of a process in clock ticks after boot, empty where the system does not say; `undefined` where no such process
 * lives: one that ended and was never reaped does not. Process numbers are used again, start times with them are not.
 */
export async function startOf(pid: number): Promise<string | undefined> {
  if (!isRunning(pid)) return undefined;
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in brackets, which may hold anything; the third is the state, the 22nd `starttime`.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ended.has(fields[0] ?? '') ? undefined : (fields[19] ?? '');
  } catch {
    return ''; // no such table on this system
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
