// Finds and terminates the processes whose arguments contain the path of a folder, such as a browser with its profile.
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const pollMs = 20;
/** Maximum time, in milliseconds, to wait until killed processes have ended. */
const killedMs = 1_500;

/**
 * Sends SIGKILL to all processes that use a folder until none is left; gives up if the system does not terminate one of them.
 * @param known id of their group leader, which is killed immediately
 */
export async function endProcessesOf(folder: string, known?: number): Promise<void> {
  const end = performance.now() + killedMs;
  // Done before the search, because an abort of a turn must not wait.
  if (known !== undefined) kill(known);
  for (;;) {
    const pids = await processesOf(folder);
    if (pids.length === 0) return;
    for (const pid of pids) kill(pid);
    if (performance.now() > end) return;
    await delay(pollMs);
  }
}

/** Returns the living processes that use that folder; none if the system does not report them (Windows). */
export async function processesOf(folder: string): Promise<number[]> {
  if (process.platform === 'win32') return [];
  if (process.platform !== 'linux') {
    const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,args='], { maxBuffer: 16_000_000 });
    const lines = stdout.split('\n').filter((line) => isNamed(line, folder));
    return lines.map((line) => Number.parseInt(line, 10)).filter((pid) => pid > 0);
  }
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const isOurs = await Promise.all(pids.map(async (pid) => isNamed(await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''), folder)));
  return pids.filter((_, index) => isOurs[index]).map(Number);
}

/** Matches the value of a flag (`--user-data-dir=<folder>/profile`), because other processes may also have opened the folder. */
const isNamed = (args: string, folder: string): boolean => args.includes(`=${folder}/`);

/** Kills a process, and its group if it is a group leader. */
function kill(pid: number): void {
  for (const target of process.platform === 'win32' ? [pid] : [-pid, pid]) {
    try {
      process.kill(target, 'SIGKILL');
    } catch {
      // the process has ended already, or is no group leader
    }
  }
}
