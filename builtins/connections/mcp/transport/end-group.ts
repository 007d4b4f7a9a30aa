// Ends a child process and its process group within two seconds.
import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/** Time in milliseconds for a server to end after its input is closed. */
const politeMs = 200;
const graceMs = 800;
const killedMs = 300;
const pollMs = 20;

export const hasGroups = process.platform !== 'win32';

/** Closes the input, then sends SIGTERM and SIGKILL to the group. Resolves when no process is left, at the latest after 1.3 s. */
export async function endGroup(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  child.stdin?.end();
  if (!hasGroups) {
    child.kill();
    return;
  }
  if (await isGoneWithin(child, pid, politeMs)) return;
  signalGroup(pid, 'SIGTERM');
  // A stopped process handles the signal only after it continues.
  signalGroup(pid, 'SIGCONT');
  if (await isGoneWithin(child, pid, graceMs)) return;
  signalGroup(pid, 'SIGKILL');
  await isGoneWithin(child, pid, killedMs);
}

async function isGoneWithin(child: ChildProcess, pid: number, ms: number): Promise<boolean> {
  const end = performance.now() + ms;
  while (!hasExited(child) || signalGroup(pid, 0)) {
    if (performance.now() >= end) return false;
    await delay(pollMs);
  }
  return true;
}

function hasExited({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Sends a signal to the group. Returns whether any process received it. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}
