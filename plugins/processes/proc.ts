// What the system says of processes (Linux: /proc).
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
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
  const [state, parent, group, start] = [fields[0], fields[1], fields[2], fields[19]];
  if (state === undefined || state === 'Z' || state === 'X' || parent === undefined || start === undefined) return undefined;
  return { pid, parent: Number(parent), group: Number(group), start };
}

/** The value of a variable that a process was started with. */
export function variableOf(pid: number, name: string): string | undefined {
  const beginning = `${name}=`;
  return textOf(`/proc/${pid}/environ`)
    .split('\0')
    .find((one) => one.startsWith(beginning))
    ?.slice(beginning.length);
}

/** Bytes that a process holds, without those of files; what it shares with others counts for each of them. */
export function bytesOf(pid: number): number {
  return sumOf(textOf(`/proc/${pid}/status`), /^(?:RssAnon|RssShmem|VmSwap):\s+(\d+) kB$/gm);
}

/** The same with what is shared in parts. Slow for large programs; nothing where that may not be read. */
export function exactBytesOf(pid: number): number {
  return sumOf(textOf(`/proc/${pid}/smaps_rollup`), /^(?:Pss_Anon|Pss_Shmem|SwapPss):\s+(\d+) kB$/gm);
}

function sumOf(text: string, lines: RegExp): number {
  return [...text.matchAll(lines)].reduce((sum, [, kilobytes]) => sum + 1024 * Number(kilobytes), 0);
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
