// Whether what a command is given lies in the workspace, links followed.
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isWithin } from './command-folder.ts';

/** @param root real path of the workspace; @param home the product's home folder, whose files count as outside */
export async function isInsideWorkspace(operand: string, cwd: string, root: string, home: string): Promise<boolean> {
  const path = await realPathOf(resolve(cwd, operand));
  if (path === undefined || !isWithin(root, path)) return false;
  const own = await realpath(home).catch(() => resolve(home));
  const isWorkspaceInHome = root !== own && isWithin(own, root);
  return isWorkspaceInHome || !isWithin(own, path);
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
