// Finds and ends the processes that work in one folder, as a browser's do in that of its profile: its name stands in their arguments.
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const pollMs = 20;
/** After SIGKILL only the system can be late. */
const killedMs = 1_500;

/** SIGKILL to all of them until none is left; gives up on what the system does not end. @param known the leader of their group, which is ended at once */
export async function endProcessesOf(folder: string, known?: number): Promise<void> {
  const end = performance.now() + killedMs;
  // At once: whoever aborts a turn is answered soon.
  if (known !== undefined) kill(known);
  for (;;) {
    const pids = await processesOf(folder);
    if (pids.length === 0) return;
    for (const pid of pids) kill(pid);
    if (performance.now() > end) return;
    await delay(pollMs);
  }
}

/** Living processes that run in that folder; none where the system does not tell (Windows). */
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

/** As the value of a flag (`--user-data-dir=<folder>/profile`): a person may be looking at the folder meanwhile. */
const isNamed = (args: string, folder: string): boolean => args.includes(`=${folder}/`);

/** Who leads a group of its own takes its children along. */
function kill(pid: number): void {
  for (const target of process.platform === 'win32' ? [pid] : [-pid, pid]) {
    try {
      process.kill(target, 'SIGKILL');
    } catch {
      // ended already, or leads no group
    }
  }
}
