// Parses commands and checks their paths, for all approval rules about commands.
import type { CommandPlace, CommandReading } from 'agent-harness/builtins/tools/shell';
import { realpath } from 'node:fs/promises';
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { hasCode } from '#lib/errors';
import { isThere } from '#lib/files';
import { isWithin } from '#lib/paths';
import { commandFolder } from './command-folder.ts';
import { parseCommands } from './parse-commands.ts';

/** @param home path of the product's home folder */
export function createCommandReading(home: string): CommandReading {
  return {
    parse: (line) => Promise.resolve(parseCommands(line)),
    async placeOf(cwd, workspaceRoot) {
      const folder = await commandFolder(cwd, workspaceRoot);
      return 'path' in folder ? { cwd: folder.path, root: await realpath(workspaceRoot) } : undefined;
    },
    isInside: (path, place) => isInside(path, place, home),
    isSystemProgram,
  };
}

async function isInside(operand: string, { cwd, root }: CommandPlace, home: string): Promise<boolean> {
  const path = await realPathOf(resolve(cwd, operand));
  if (path === undefined || !isWithin(root, path)) return false;
  const own = await realpath(home).catch(() => resolve(home));
  const isWorkspaceInHome = root !== own && isWithin(own, root);
  // Reading a folder that contains the home folder would also read the home folder.
  return isWorkspaceInHome || (!isWithin(own, path) && !isWithin(path, own));
}

async function isSystemProgram(name: string, { root }: CommandPlace): Promise<boolean> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    // The environment of commands contains no relative PATH entries.
    if (!isAbsolute(folder)) continue;
    const program = await realpath(join(folder, name)).catch(() => undefined);
    if (program !== undefined && (isWithin(root, resolve(folder)) || isWithin(root, program))) return false;
  }
  return true;
}

/** Returns the real path of the existing part of a path; `undefined` for broken links and unreadable paths. */
async function realPathOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (fault) {
    if (!hasCode(fault, 'ENOENT', 'ENOTDIR')) return undefined;
  }
  if ((await isThere(path)) || dirname(path) === path) return undefined;
  const parent = await realPathOf(dirname(path));
  return parent === undefined ? undefined : join(parent, basename(path));
}
