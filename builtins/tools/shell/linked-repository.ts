// Finds the repository of a linked worktree or a submodule that is outside the workspace, and the parts of that repository that a commit writes.
import { readFile, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isThere } from '#lib/files';
import { isWithin } from '#lib/paths';

/** A repository outside the workspace, with absolute real paths. */
export interface LinkedRepository {
  /** Path of the repository, for display. */
  readonly folder: string;
  /** Writable paths. */
  readonly writable: readonly string[];
  /** Read-only paths in the repository: parts that make git run programs or read other locations. */
  readonly fixed: readonly string[];
  /** Paths of `fixed` that do not exist, and that a sandbox therefore cannot mount read-only. */
  readonly missing: readonly string[];
}

/** Finds the repository; resolves with `undefined` if it is in the workspace, missing, or does not refer back to this workspace. @param workspace real path */
export async function findLinkedRepository(workspace: string): Promise<LinkedRepository | undefined> {
  try {
    const named = /^gitdir: (.+)$/m.exec(await readFile(join(workspace, '.git'), 'utf8'))?.[1];
    if (named === undefined) return undefined;
    const folder = await realpath(resolve(workspace, named));
    if (isWithin(workspace, folder)) return undefined;
    const shared = await readFile(join(folder, 'commondir'), 'utf8').catch(() => undefined);
    return await (shared === undefined ? ofSubmodule(folder, workspace) : ofWorktree(folder, resolve(folder, shared.trim()), workspace));
  } catch {
    return undefined; // a folder, or a file with other content
  }
}

async function ofWorktree(folder: string, named: string, workspace: string): Promise<LinkedRepository | undefined> {
  const common = await realpath(named);
  const back = await realpath((await readFile(join(folder, 'gitdir'), 'utf8')).trim());
  if (dirname(folder) !== join(common, 'worktrees') || back !== join(workspace, '.git')) return undefined;
  const parts = ['objects', 'refs', 'logs'].map((name) => join(common, name));
  return withFixed({ folder: common, writable: [folder, ...parts] }, folder, ['commondir', 'gitdir', 'config.worktree']);
}

async function ofSubmodule(folder: string, workspace: string): Promise<LinkedRepository | undefined> {
  const tree = /^\s*worktree\s*=\s*"?(.+?)"?\s*$/m.exec(await readFile(join(folder, 'config'), 'utf8'))?.[1];
  if (tree === undefined || (await realpath(resolve(folder, tree))) !== workspace) return undefined;
  return withFixed({ folder, writable: [folder] }, folder, ['config', 'config.worktree', 'commondir', 'hooks', 'modules']);
}

async function withFixed(found: Pick<LinkedRepository, 'folder' | 'writable'>, folder: string, names: readonly string[]): Promise<LinkedRepository> {
  const paths = names.map((name) => join(folder, name));
  const there = await Promise.all(paths.map(isThere));
  return { ...found, fixed: paths.filter((_, index) => there[index]), missing: paths.filter((_, index) => !there[index]) };
}

/** Deletes the created paths of `missing`, which would control git. Resolves with their names. */
export async function removeMade({ missing }: LinkedRepository): Promise<string[]> {
  const made: string[] = [];
  for (const path of missing) {
    if (!(await isThere(path))) continue;
    await rm(path, { recursive: true, force: true });
    made.push(basename(path));
  }
  return made;
}
