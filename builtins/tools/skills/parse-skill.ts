// Parses a SKILL.md: name and description from its front matter.
import { readFrontMatter } from '#lib/front-matter';
import { oneLine } from '#lib/text';

export interface Skill {
  readonly name: string;
  /** Description, as one line of text. */
  readonly description: string;
  /** Path of the skill's folder, relative to the workspace, with `/`. */
  readonly folder: string;
  readonly text: string;
}

const namePattern = /^[\p{L}\p{N}][\p{L}\p{N}._ -]{0,63}$/u;
const maxDescription = 400;

/** Returns the skill, or a sentence that states why the file is not a skill. */
export function parseSkill(text: string, folder: string): Skill | string {
  const path = `${folder}/SKILL.md`;
  const read = readFrontMatter(text);
  if (typeof read === 'string') return `${path} ${read}.`;
  const { name, description } = read.fields;
  if (typeof name !== 'string' || !namePattern.test(name.trim())) return `The front matter of ${path} has no usable name.`;
  if (typeof description !== 'string' || description.trim() === '') return `The front matter of ${path} has no description.`;
  return { name: name.trim(), description: oneLine(description, maxDescription), folder, text };
}
