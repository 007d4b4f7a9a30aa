// Ends a process with all its descendants, and detects when all of them have ended.
import { setTimeout as delay } from 'node:timers/promises';
import type { ChildProcess } from 'node:child_process';
import { hasCode } from '#lib/errors';

const graceMs = 1000;
/** Time in milliseconds to wait after SIGKILL, whose effect only the system can delay. */
const killedMs = 500;
/** Time in milliseconds until the first poll; short, because most processes have ended by then. */
const firstPollMs = 2;
const pollMs = 50;

export const hasGroups = process.platform !== 'win32';

/** Receivers of the initial SIGTERM: all processes, all except the leader, or none. */
export type Politeness = 'group' | 'members' | 'none';

/** Finds the descendants of a process, including those in other process groups or sessions. */
export interface Kin {
  /** Returns the living processes of a group; `undefined` if unknown. */
  members(group: number): Promise<readonly number[] | undefined>;
  find(): Promise<readonly number[]>;
  /** Sends SIGKILL to the descendants. */
  end(): Promise<unknown>;
}

/** Sends SIGTERM, and SIGKILL after a second. Resolves when the group and its descendants have ended, or after 2.5 s. */
export async function endGroup(child: ChildProcess, politeness: Politeness, kin: Kin): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  if (!hasGroups) {
    child.kill();
    return;
  }
  const members = (await kin.members(pid)) ?? [];
  // Each process receives the signal once, because a handler would otherwise run twice.
  const strays = (await kin.find()).filter((one) => !members.includes(one));
  if (politeness === 'members') signalEach(members.filter((one) => one !== pid), 'SIGTERM'); // prettier-ignore
  if (politeness === 'group') signalGroup(pid, 'SIGTERM');
  if (politeness !== 'none') signalEach(strays, 'SIGTERM');
  // A stopped process handles the signal only after it continues.
  signalGroup(pid, 'SIGCONT');
  signalEach(strays, 'SIGCONT');
  if (politeness !== 'none' && (await isGoneWithin(pid, kin, graceMs))) return;
  signalGroup(pid, 'SIGKILL');
  await Promise.all([kin.end(), isGoneWithin(pid, kin, killedMs)]);
}

export async function isAlive(pid: number, kin: Kin): Promise<boolean> {
  // Concurrently, so that both share one scan of all processes.
  const [isThere, found] = await Promise.all([isGroupAlive(pid, kin), kin.find()]);
  return isThere || found.length > 0;
}

/** Returns whether a group has living processes. Zombies are also members of a group, so the existence of the group proves nothing. */
async function isGroupAlive(pid: number, kin: Kin): Promise<boolean> {
  return hasGroups && signalGroup(pid, 0) && (await kin.members(pid))?.length !== 0;
}

async function isGoneWithin(pid: number, kin: Kin, ms: number): Promise<boolean> {
  const end = performance.now() + ms;
  for (let pause = firstPollMs; ; pause = Math.min(2 * pause, pollMs)) {
    if (!(await isAlive(pid, kin))) return true;
    if (performance.now() >= end) return false;
    await delay(pause);
  }
}

/** Sends a signal to a group. Returns whether any process received it. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch (fault) {
    // A process of another user in this group is still running.
    return hasCode(fault, 'EPERM');
  }
}

function signalEach(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // the process ended after the scan
    }
  }
}
