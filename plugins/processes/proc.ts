// Reads process information from the system (Linux: /proc).
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Start time in ticks since boot: unique together with the process id. */
  readonly start: string;
}

/** Returns all living processes. */
export function listProcesses(): ProcessRow[] {
  return namesIn('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
}

/** Returns the data of a process; `undefined` if it does not exist or is a zombie. */
export function readProcess(pid: number): ProcessRow | undefined {
  const line = textOf(`/proc/${pid}/stat`);
  // The name is in parentheses, and may contain any character.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, start] = [fields[0], fields[1], fields[2], fields[19]];
  if (state === undefined || state === 'Z' || state === 'X' || parent === undefined || start === undefined) return undefined;
  return { pid, parent: Number(parent), group: Number(group), start };
}

/** Returns a variable of the initial environment of a process. */
export function variableOf(pid: number, name: string): string | undefined {
  const beginning = `${name}=`;
  return textOf(`/proc/${pid}/environ`)
    .split('\0')
    .find((one) => one.startsWith(beginning))
    ?.slice(beginning.length);
}

/** Returns the memory of a process in bytes, excluding file-backed memory; shared memory is counted in full for each process. */
export function bytesOf(pid: number): number {
  return sumOf(textOf(`/proc/${pid}/status`), /^(?:RssAnon|RssShmem|VmSwap):\s+(\d+) kB$/gm);
}

/** Like {@link bytesOf}, but with shared memory divided among the processes that share it. Slow for large programs; 0 without permission. */
export function exactBytesOf(pid: number): number {
  return sumOf(textOf(`/proc/${pid}/smaps_rollup`), /^(?:Pss_Anon|Pss_Shmem|SwapPss):\s+(\d+) kB$/gm);
}

function sumOf(text: string, lines: RegExp): number {
  return [...text.matchAll(lines)].reduce((sum, [, kilobytes]) => sum + 1024 * Number(kilobytes), 0);
}

/** Returns an identifier of namespace and user; `undefined` if unknown. Processes with the same identifier see the same processes with the same rights. */
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
    return ''; // the process ended in the meantime, or another user owns it
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
