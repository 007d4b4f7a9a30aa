// Whether what a command is given lies in the workspace, links followed, and whether its programs are the system's own.
import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** Where a command would run. All real paths. */
export interface Place {
  readonly cwd: string;
  readonly root: string;
  /** The product's home folder: its files count as outside. */
  readonly home: string;
}

/** `undefined` where the folder is not one inside of the workspace. */
export async function placeOf(cwd: unknown, workspaceRoot: string, home: string): Promise<Place | undefined> {
  if (cwd !== undefined && (typeof cwd !== 'string' || cwd.includes('\0'))) return undefined;
  const root = await realPathOf(workspaceRoot);
  const path = root === undefined ? undefined : await realPathOf(resolve(root, cwd ?? '.'));
  if (root === undefined || path === undefined || !isWithin(root, path)) return undefined;
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isFolder ? { cwd: path, root, home: (await realPathOf(home)) ?? resolve(home) } : undefined;
}

export async function isInsideWorkspace(operand: string, { cwd, root, home }: Place): Promise<boolean> {
  const path = await realPathOf(resolve(cwd, operand));
  if (path === undefined || !isWithin(root, path)) return false;
  const isWorkspaceInHome = root !== home && isWithin(home, root);
  // A folder around the home folder would be read with it.
  return isWorkspaceInHome || (!isWithin(home, path) && !isWithin(path, home));
}

/** A folder of PATH that is relative or lies in the workspace may give any name any meaning. */
export async function isSystemProgram(name: string, { root }: Place, path = process.env['PATH'] ?? ''): Promise<boolean> {
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder) || isWithin(root, resolve(folder))) return false;
    const program = await realpath(join(folder, name)).catch(() => undefined);
    if (program !== undefined && isWithin(root, program)) return false;
  }
  return true;
}

function isWithin(parent: string, path: string): boolean {
  const way = relative(parent, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** Of what exists on the way; `undefined` for links that lead nowhere and for what cannot be read. */
async function realPathOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (fault) {
    if (!(fault instanceof Error && 'code' in fault && (fault.code === 'ENOENT' || fault.code === 'ENOTDIR'))) return undefined;
  }
  const isThere = await lstat(path).then(
    () => true,
    () => false,
  );
  if (isThere || dirname(path) === path) return undefined;
  const parent = await realPathOf(dirname(path));
  return parent === undefined ? undefined : join(parent, basename(path));
}
