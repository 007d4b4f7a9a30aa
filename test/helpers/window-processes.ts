// Lists the processes of a desktop window (Linux).
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { processesOf } from '#lib/folder-processes';

export const windowFolder = (home: string): string => join(home, 'plugin-data/desktop-window');

export const windowProcesses = (home: string): Promise<number[]> => processesOf(windowFolder(home));

export async function windowLeader(home: string): Promise<number | undefined> {
  return (await windowProcesses(home)).find((pid) => !commandLine(pid).includes('--type='));
}

export function commandLine(pid: number): string {
  return textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
}

/** Returns whether the process exists and is not a zombie. */
export function isAlive(pid: number): boolean {
  return /^\d+ \(.*\) [^ZX]/s.test(textOf(`/proc/${pid}/stat`));
}

/** Returns the addresses on which these processes listen, in the hex format of the system: `0100007F` is 127.0.0.1. */
export function listeningAt(pids: readonly number[]): string[] {
  const sockets = new Set(pids.flatMap((pid) => namesIn(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`))));
  return ['tcp', 'tcp6'].flatMap((table) =>
    textOf(`/proc/net/${table}`)
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[3] === '0A' && sockets.has(`socket:[${fields[9] ?? ''}]`))
      .map((fields) => (fields[1] ?? '').split(':', 1)[0] ?? ''),
  );
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return ''; // the process ended meanwhile
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
