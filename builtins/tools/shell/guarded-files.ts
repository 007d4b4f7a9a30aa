// Finds workspace files that control other programs; a sandboxed command must not change them without approval.
import type { Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isThere } from '#lib/files';
import { isWithin, wayFrom } from '#lib/paths';

export interface GuardedFiles {
  /** Absolute paths of files and folders that are read-only for commands. */
  readonly fixed: readonly string[];
  /** Parent folders of these paths. They must not be moved, because another folder could then take their place. */
  readonly pinned: readonly string[];
}

export interface GuardParts {
  /** Real path of the workspace. */
  readonly workspace: string;
  /** Returns whether a path controls other programs. @param shown path relative to the workspace, with `/`; the path of a folder ends with `/` */
  steers(shown: string): boolean;
}

export const nothingGuarded: GuardedFiles = { fixed: [], pinned: [] };

/** Parts of a repository that make git run programs or read other locations; everything else in `.git` changes in normal use. */
const gitParts: readonly string[] = ['config', 'config.worktree', 'commondir', 'hooks'];
const maxDepth = 3;
/** Maximum number of folders that are checked, top down. */
const maxFolders = 300;
/** Folders that package managers manage and that are too large to check. */
const skipped: readonly string[] = ['node_modules', '.venv', 'venv', 'target', '.cache'];

/** Returns the existing files. Contract: never rejects. */
export async function findGuardedFiles(parts: GuardParts): Promise<GuardedFiles> {
  const found = { fixed: [] as string[], pinned: new Set<string>() };
  let level = [parts.workspace];
  let left = maxFolders;
  for (let depth = 0; depth <= maxDepth && level.length > 0 && left > 0; depth++) {
    const folders = level.slice(0, left);
    left -= folders.length;
    level = (await Promise.all(folders.map((folder) => lookInto(folder, parts, found)))).flat();
  }
  return { fixed: found.fixed, pinned: [...found.pinned] };
}

/** Returns the guarded files that were created since `before`, relative to the workspace. @param seen current location of the workspace */
export async function findMadeFiles(before: GuardedFiles, parts: GuardParts, seen: string = parts.workspace): Promise<string[]> {
  const after = await findGuardedFiles({ ...parts, workspace: seen });
  const known = before.fixed.map((path) => shownOf(path, parts.workspace));
  return after.fixed.map((path) => shownOf(path, seen)).filter((path) => !known.includes(path));
}

/** Checks a folder. Resolves with the folders to check next. */
async function lookInto(folder: string, parts: GuardParts, found: { readonly fixed: string[]; readonly pinned: Set<string> }): Promise<string[]> {
  const next: string[] = [];
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.name === '.git' && entry.isDirectory()) {
      found.pinned.add(path);
      found.fixed.push(...(await gitFilesOf(path)), ...(await modulesOf(join(path, 'modules'))));
    } else if (entry.name === '.git' && entry.isFile()) {
      // The file contains the location of the repository.
      found.fixed.push(path);
    } else if (parts.steers(shownOf(path, parts.workspace) + (entry.isDirectory() ? '/' : ''))) {
      const real = entry.isSymbolicLink() ? await realpath(path).catch(() => undefined) : path;
      if (real !== undefined && isWithin(parts.workspace, real) && real !== parts.workspace) found.fixed.push(real);
      for (const around of hiddenAround(folder, parts.workspace)) found.pinned.add(around);
    } else if (entry.isDirectory() && !skipped.includes(entry.name)) next.push(path);
  }
  return next;
}

/** Returns the hidden folders above a folder. Ordinary folders are not mounted, because moving files between two mounts would require copying. */
function hiddenAround(folder: string, workspace: string): string[] {
  const names = shownOf(folder, workspace).split('/');
  return names[0]?.startsWith('.') === true ? names.map((_, at) => join(workspace, ...names.slice(0, at + 1))) : [];
}

async function gitFilesOf(git: string): Promise<string[]> {
  const entries = await entriesOf(git);
  return entries.filter((entry) => gitParts.includes(entry.name) && (entry.isFile() || entry.isDirectory())).map((entry) => join(git, entry.name));
}

/** Finds submodules, whose names may contain folders. */
async function modulesOf(folder: string, depth = 0): Promise<string[]> {
  const names = (await entriesOf(folder)).filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
  const found = await Promise.all(
    names.map(async (path) => ((await isThere(join(path, 'HEAD'))) ? gitFilesOf(path) : depth < 3 ? modulesOf(path, depth + 1) : [])),
  );
  return found.flat();
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}

function shownOf(path: string, workspace: string): string {
  return wayFrom(workspace, path);
}
