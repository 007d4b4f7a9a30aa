// Loads the skills of roots that other plugins contribute when a root is added. The skill tool offers them together with the skills of a workspace.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { PointHandler } from 'agent-harness/kernel';
import type { SkillRoot } from 'agent-harness/builtins/tools/skills';
import type { Skill } from './parse-skill.ts';
import { readInside, type ReadText } from './read-inside.ts';
import { maxSkill, maxSkills } from './snapshot.ts';

/** A skill of a root; `folder` is relative to its root. */
export interface AddedSkill extends Skill {
  readonly root: SkillRoot;
}

export interface AddedSkills {
  readonly point: PointHandler<SkillRoot>;
  list(): Promise<readonly AddedSkill[]>;
}

export function createAddedSkills(): AddedSkills {
  const roots = new Map<SkillRoot, Promise<readonly AddedSkill[]>>();
  return {
    point: { added: (root) => void roots.set(root, readRoot(root)), removed: (root) => void roots.delete(root) },
    list: async () => (await Promise.all(roots.values())).flat(),
  };
}

/** Reads a root, without invalid skills; the contributing plugin has already shown these to the user. */
async function readRoot(root: SkillRoot): Promise<readonly AddedSkill[]> {
  const entries = await readdir(join(root.root, root.folder)).catch(() => []);
  const found = await Promise.all(
    entries
      .sort()
      .slice(0, maxSkills)
      .map((name) => readOne(root, `${root.folder}/${name}`)),
  );
  return found.flatMap((skill) => skill ?? []);
}

async function readOne(root: SkillRoot, folder: string): Promise<AddedSkill | undefined> {
  const read = await readInside(root.root, `${folder}/SKILL.md`, maxSkill);
  if (!read || 'fault' in read) return undefined;
  const { parseSkill } = await import('./parse-skill.ts');
  const skill = parseSkill(read.text, folder);
  return typeof skill === 'string' ? undefined : { ...skill, root };
}

/** Reads a file next to a SKILL.md, by its name in the list of files. */
export async function readSkillFile({ root }: SkillRoot, folder: string, file: string): Promise<ReadText | { readonly fault: string } | undefined> {
  return file.startsWith(`${folder}/`) ? readInside(root, file, maxSkill) : undefined;
}
