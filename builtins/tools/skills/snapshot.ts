// Takes a snapshot of a workspace's instructions and skills, with the digest to which a trust decision refers.
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileStamp } from '#lib/files';
import { sha256 } from '#lib/hash';
import type { Skill } from './parse-skill.ts';
import { readInside } from './read-inside.ts';

export interface Snapshot {
  /** Real path of the workspace. */
  readonly root: string;
  /** AGENTS.md files by folder, relative with `/`; an empty string stands for the workspace itself. */
  readonly instructions: ReadonlyMap<string, string>;
  readonly skills: readonly Skill[];
  /** Sentences about skipped files, with reasons. */
  readonly faults: readonly string[];
  /** Path and size in bytes of each included file. */
  readonly files: readonly { readonly path: string; readonly size: number }[];
  /** SHA-256 in hex; `undefined` without instructions and skills. */
  readonly digest: string | undefined;
  /** Stamps of the checked paths: times and sizes. */
  readonly stamps: ReadonlyMap<string, string>;
}

export const instructionsName = 'AGENTS.md';
const skillFolders = ['.agents/skills', '.claude/skills'];
/** The two paths that are checked in each round. */
const quickPaths = [instructionsName, '.agents/skills'];
/** Maximum size of a file in bytes. */
const maxInstructions = 256 * 1024;
export const maxSkill = 128 * 1024;
export const maxSkills = 100;
/** Maximum number of folders that are searched for AGENTS.md. */
const maxFolders = 1_000;
const maxDepth = 6;
const maxNested = 100;
const skipped: ReadonlySet<string> = new Set(['node_modules', 'bower_components', 'vendor', 'dist', 'build', 'target', 'out', 'coverage', '__pycache__']);

/** @param root real path of the workspace */
export async function takeSnapshot(root: string): Promise<Snapshot> {
  const instructions = new Map<string, string>();
  const faults: string[] = [];
  const files: { path: string; size: number; hash: string }[] = [];
  const keep = (path: string, size: number, text: string): void => void files.push({ path, size, hash: sha256(text) });
  const stamps = new Map<string, string>();
  for (const path of [...quickPaths, ...skillFolders]) stamps.set(path, stampOf(root, path));

  for (const folder of await foldersWithInstructions(root)) {
    const path = folder === '' ? instructionsName : `${folder}/${instructionsName}`;
    stamps.set(path, stampOf(root, path));
    const read = await readInside(root, path, maxInstructions);
    if (!read) continue;
    if ('fault' in read) faults.push(read.fault);
    else if (read.text.trim() !== '') {
      instructions.set(folder, read.text.trim());
      keep(path, read.size, read.text);
    }
  }

  const skills = new Map<string, Skill>();
  for (const folder of await foldersOfSkills(root)) {
    const path = `${folder}/SKILL.md`;
    stamps.set(path, stampOf(root, path));
    const read = await readInside(root, path, maxSkill);
    if (!read) continue;
    // Most workspaces have no skills, and the parser for front matter is large.
    const { parseSkill } = await import('./parse-skill.ts');
    const skill = 'fault' in read ? read.fault : parseSkill(read.text, folder);
    if (typeof skill === 'string') faults.push(skill);
    else if (skills.get(skill.name)?.text === skill.text) continue;
    else if (skills.has(skill.name)) faults.push(`${path} has the name of another skill, ${skill.name}.`);
    else {
      skills.set(skill.name, skill);
      keep(path, 'size' in read ? read.size : 0, skill.text);
    }
  }
  const rows = files.sort((a, b) => (a.path < b.path ? -1 : 1)).map(({ path, hash }) => `${hash} ${path}`);
  return {
    ...{ root, instructions, faults, stamps },
    skills: [...skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    files: files.map(({ path, size }) => ({ path, size })),
    digest: rows.length === 0 ? undefined : sha256(rows.join('\n')),
  };
}

/** Returns whether the files are unchanged. `quick`: checks only two of them. */
export function isCurrent({ root, stamps }: Snapshot, how: 'quick' | 'whole'): boolean {
  const paths = how === 'quick' ? quickPaths : [...stamps.keys()];
  return paths.every((path) => stampOf(root, path) === stamps.get(path));
}

/**
 * Returns the stamp of a path. Synchronous, because each round calls it. Most paths are missing, which takes a few µs to detect; the thread pool takes ten
 * times as long.
 */
function stampOf(root: string, path: string): string {
  return fileStamp(join(root, path));
}

/** Returns folders breadth first and sorted by name, so that the same workspace always yields the same list. */
async function foldersWithInstructions(root: string): Promise<string[]> {
  const found: string[] = [''];
  let level = [''];
  let looked = 0;
  for (let depth = 0; depth <= maxDepth && level.length > 0; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      if (++looked > maxFolders) return found;
      for (const entry of await entriesOf(join(root, folder))) {
        if (entry.name === instructionsName && folder !== '' && !entry.isDirectory() && found.length < maxNested) found.push(folder);
        if (entry.isDirectory() && !entry.name.startsWith('.') && !skipped.has(entry.name)) next.push(folder === '' ? entry.name : `${folder}/${entry.name}`);
      }
    }
    level = next;
  }
  return found;
}

async function foldersOfSkills(root: string): Promise<string[]> {
  const lists = await Promise.all(skillFolders.map(async (folder) => (await entriesOf(join(root, folder))).map(({ name }) => `${folder}/${name}`)));
  return lists.flat().slice(0, maxSkills);
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return []; // missing or unreadable
  }
}
