// What the system says of processes (Linux: /proc).
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  /** In ticks since the machine started: with the number it names a process for good. */
  readonly start: string;
}

/** Everything that is alive. */
export function listProcesses(): ProcessRow[] {
  return namesIn('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
}

/** `undefined` where there is none, or a dead one that nobody has collected. */
export function readProcess(pid: number): ProcessRow | undefined {
  const line = textOf(`/proc/${pid}/stat`);
  // The name in parentheses may contain anything.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [state, parent, start] = [fields[0], fields[1], fields[19]];
  if (state === undefined || state === 'Z' || state === 'X' || parent === undefined || start === undefined) return undefined;
  return { pid, parent: Number(parent), start };
}

/** The value of a variable that a process was started with. */
export function variableOf(pid: number, name: string): string | undefined {
  const beginning = `${name}=`;
  return textOf(`/proc/${pid}/environ`)
    .split('\0')
    .find((one) => one.startsWith(beginning))
    ?.slice(beginning.length);
}

/** Two processes with the same answer see the same processes, and one is as much a user of the machine as the other. `undefined`: nobody may know. */
export function surroundingsOf(pid: number | 'self'): string | undefined {
  try {
    return `${readlinkSync(`/proc/${pid}/ns/pid`)} ${readlinkSync(`/proc/${pid}/ns/user`)} ${readlinkSync(`/proc/${pid}/ns/net`)}`;
  } catch {
    return undefined;
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return ''; // ended meanwhile, or somebody else's
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
