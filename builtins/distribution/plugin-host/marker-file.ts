// Reads the marker file of an ended process: it is deleted with the first read after the process is gone.
import { readFileSync, rmSync } from 'node:fs';
import { isRecord, jsonOf } from 'agent-harness/lib/values';

/** Names a process for good, where the system tells: a number alone is given again. */
export interface OwnProcess {
  readonly pid: number;
  /** In ticks since the machine started; empty where the system does not tell. */
  readonly start: string;
}

export const ownProcess = (): OwnProcess => ({ pid: process.pid, start: startOf(process.pid) });

/** What a process that is gone left at that path, which is deleted; `undefined` where there is nothing, or the process is at work. */
export function readLeft(path: string, own: OwnProcess): Readonly<Record<string, unknown>> | undefined {
  try {
    const found = jsonOf(readFileSync(path, 'utf8'));
    const left = isRecord(found) ? found : {};
    const { pid, start } = left;
    const isGone = typeof pid !== 'number' || pid === own.pid || !isAlive(pid) || (own.start !== '' && startOf(pid) !== start);
    if (!isGone) return undefined;
    rmSync(path, { force: true });
    return left;
  } catch {
    return undefined; // there is none
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (fault) {
    return (fault as { readonly code?: string }).code === 'EPERM';
  }
}

function startOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
