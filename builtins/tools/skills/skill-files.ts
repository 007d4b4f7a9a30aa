// Lists the files next to a SKILL.md.
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isWithin } from '#lib/paths';

const maxFiles = 200;
const maxDepth = 4;

/** Returns paths relative to the workspace, with `/`, without hidden files and links; an empty list if the folder leads out of the workspace. */
export async function listSkillFiles(root: string, folder: string): Promise<string[]> {
  const real = await realpath(join(root, folder)).catch(() => undefined);
  if (real === undefined || !isWithin(root, real)) return [];
  const files: string[] = [];
  await collect(real, folder, 0, files);
  return files.filter((file) => file !== `${folder}/SKILL.md`);
}

async function collect(absolute: string, shown: string, depth: number, files: string[]): Promise<void> {
  const entries = await readdir(absolute, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.') || files.length >= maxFiles) continue;
    if (entry.isFile()) files.push(`${shown}/${entry.name}`);
    else if (entry.isDirectory() && depth < maxDepth) await collect(join(absolute, entry.name), `${shown}/${entry.name}`, depth + 1, files);
  }
}
