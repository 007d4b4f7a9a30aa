// Finds the paths that are hidden from sandboxed commands: secrets, and sockets of services outside the sandbox.
import { realpathSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { isWithin } from '#lib/paths';
import { namedPlaces, ofPerson, ofSystem } from './secret-places.ts';

export interface HiddenPath {
  /** Absolute real path. */
  readonly path: string;
  readonly isFolder: boolean;
}

/** Maximum number of hidden sockets. If there are more, only the first ones and the folders in {@link ofSystem} are hidden. */
const maxSockets = 1_000;
/** Folders that are replaced inside the sandbox. */
const own = ['/tmp', '/var/tmp', '/dev', '/proc'];

/** Returns the existing paths. @param home path of the product's home folder @param workspace real path; sockets inside it stay visible */
export async function findHiddenPaths(home: string, workspace: string): Promise<readonly HiddenPath[]> {
  const sockets = (await listeningSockets()).filter((path) => ![...own, workspace].some((folder) => isWithin(folder, path)));
  const found = [home, ...placesOfPerson(process.env), ...ofSystem, ...sockets].map(checkPath);
  const paths = new Map(found.flatMap((one) => (one && one.path !== '/' ? [[one.path, one] as const] : [])));
  // Parents come first, so that no mount covers an earlier one.
  return [...paths.values()].sort((one, other) => one.path.length - other.path.length);
}

function placesOfPerson(environment: Readonly<Record<string, string | undefined>>): string[] {
  const person = homedir();
  const { XDG_CONFIG_HOME: config, XDG_DATA_HOME: data } = environment;
  const moved = ([beginning, folder]: readonly [string, string | undefined]): string[] =>
    folder !== undefined && isAbsolute(folder)
      ? ofPerson.filter((name) => name.startsWith(beginning)).map((name) => join(folder, name.slice(beginning.length)))
      : [];
  // KUBECONFIG may contain several paths.
  const named = namedPlaces.flatMap((name) => environment[name]?.split(':') ?? []).filter((path) => isAbsolute(path) && !isWithin(path, person));
  return [...ofPerson.map((name) => join(person, name)), ...moved(['.config/', config]), ...moved(['.local/share/', data]), ...named];
}

/** Returns all listening sockets of this machine. */
async function listeningSockets(): Promise<string[]> {
  const table = await readFile('/proc/net/unix', 'utf8').catch(() => '');
  const paths = table.split('\n').flatMap((line) => /^\S+ \S+ \S+ \S+ \S+ \S+ +\d+ (\/.*)$/.exec(line)?.[1] ?? []);
  return [...new Set(paths)].slice(0, maxSockets);
}

/** Checks a path synchronously: most paths are missing, which takes microseconds to check, while each use of the thread pool costs more. */
function checkPath(path: string): HiddenPath | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats && { path: realpathSync(path), isFolder: stats.isDirectory() };
  } catch {
    return undefined; // The path is not accessible and, on a read-only file system, cannot be created.
  }
}
