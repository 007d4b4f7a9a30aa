// Ends a process with everything in its group, and knows when all of it is gone.
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChildProcess } from 'node:child_process';

const graceMs = 1000;
/** After SIGKILL only the system can be late. */
const killedMs = 500;
const pollMs = 20;

export const hasGroups = process.platform !== 'win32';

/** SIGTERM, after a second SIGKILL. Resolves when nothing of the group is left, at the latest 1.5 s later. */
export async function endGroup(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  if (!hasGroups) {
    child.kill();
    return;
  }
  signalGroup(pid, 'SIGTERM');
  // A stopped process would take the signal only after it goes on.
  signalGroup(pid, 'SIGCONT');
  if (await isGoneWithin(pid, graceMs)) return;
  signalGroup(pid, 'SIGKILL');
  await isGoneWithin(pid, killedMs);
}

export async function isGroupAlive(pid: number): Promise<boolean> {
  if (!hasGroups || !signalGroup(pid, 0)) return false;
  return process.platform === 'linux' ? hasLivingMember(pid) : true;
}

async function isGoneWithin(pid: number, ms: number): Promise<boolean> {
  const end = performance.now() + ms;
  for (;;) {
    if (!(await isGroupAlive(pid))) return true;
    if (performance.now() >= end) return false;
    await delay(pollMs);
  }
}

/** Answers whether there was anybody to get it. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch (fault) {
    // Somebody else's process in our group is still a process.
    return fault instanceof Error && 'code' in fault && fault.code === 'EPERM';
  }
}

/** Dead processes that nobody has collected count as members of a group, so the group's existence proves nothing. */
async function hasLivingMember(group: number): Promise<boolean> {
  const names = await readdir('/proc').catch(() => undefined);
  if (!names) return true;
  const living = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map((name) => isLivingMember(name, group)));
  return living.includes(true);
}

async function isLivingMember(pid: string, group: number): Promise<boolean> {
  try {
    const line = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain anything; behind it: state, parent, group.
    const [state, , processGroup] = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return Number(processGroup) === group && state !== 'Z' && state !== 'X';
  } catch {
    return false; // ended between the listing and the look
  }
}
