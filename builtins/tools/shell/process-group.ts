// Ends a process with everything that it started, and knows when all of it is gone.
import { setTimeout as delay } from 'node:timers/promises';
import type { ChildProcess } from 'node:child_process';
import { hasCode } from 'agent-harness/lib/errors';

const graceMs = 1000;
/** After SIGKILL only the system can be late. */
const killedMs = 500;
/** The first look again comes soon: most are gone by then. */
const firstPollMs = 2;
const pollMs = 50;

export const hasGroups = process.platform !== 'win32';

/** Who gets SIGTERM first: all, all but the leader, or nobody. */
export type Politeness = 'group' | 'members' | 'none';

/** What a process started, wherever it went: into a group or session of its own, too. */
export interface Kin {
  /** Living processes of a group; `undefined` where nobody can tell. */
  members(group: number): Promise<readonly number[] | undefined>;
  find(): Promise<readonly number[]>;
  /** SIGKILL. */
  end(): Promise<unknown>;
}

/** SIGTERM, after a second SIGKILL. Resolves when nothing of the group and its kin is left, at the latest 2.5 s later. */
export async function endGroup(child: ChildProcess, politeness: Politeness, kin: Kin): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  if (!hasGroups) {
    child.kill();
    return;
  }
  const members = (await kin.members(pid)) ?? [];
  // Nobody gets it twice: a handler would run twice.
  const strays = (await kin.find()).filter((one) => !members.includes(one));
  if (politeness === 'members') signalEach(members.filter((one) => one !== pid), 'SIGTERM'); // prettier-ignore
  if (politeness === 'group') signalGroup(pid, 'SIGTERM');
  if (politeness !== 'none') signalEach(strays, 'SIGTERM');
  // A stopped process would take the signal only after it goes on.
  signalGroup(pid, 'SIGCONT');
  signalEach(strays, 'SIGCONT');
  if (politeness !== 'none' && (await isGoneWithin(pid, kin, graceMs))) return;
  signalGroup(pid, 'SIGKILL');
  await Promise.all([kin.end(), isGoneWithin(pid, kin, killedMs)]);
}

export async function isAlive(pid: number, kin: Kin): Promise<boolean> {
  // At once, so that both are one look at all processes.
  const [isThere, found] = await Promise.all([isGroupAlive(pid, kin), kin.find()]);
  return isThere || found.length > 0;
}

/** Dead processes that nobody has collected count as members of a group, so the group's existence proves nothing. */
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

/** Answers whether there was anybody to get it. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch (fault) {
    // Somebody else's process in our group is still a process.
    return hasCode(fault, 'EPERM');
  }
}

function signalEach(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // ended since the look
    }
  }
}
