// A SKILL.md taken apart: name and description from its front matter.
import { oneLine } from 'agent-harness/lib/text';
import { parse } from 'yaml';

export interface Skill {
  readonly name: string;
  /** One line. */
  readonly description: string;
  /** Relative to the workspace, with `/`: the folder of the skill. */
  readonly folder: string;
  readonly text: string;
}

const namePattern = /^[\p{L}\p{N}][\p{L}\p{N}._ -]{0,63}$/u;
const maxDescription = 400;
const maxFrontMatter = 16 * 1024;

/** A sentence where the file is no skill. */
export function parseSkill(text: string, folder: string): Skill | string {
  const path = `${folder}/SKILL.md`;
  const start = /^\uFEFF?---[ \t]*\n/.exec(text)?.[0].length;
  if (start === undefined) return `${path} has no front matter.`;
  const end = /^---[ \t]*$/m.exec(text.slice(start, start + maxFrontMatter));
  if (!end) return `The front matter of ${path} has no end.`;
  let fields: unknown;
  try {
    fields = parse(text.slice(start, start + end.index), { maxAliasCount: 20, prettyErrors: false, logLevel: 'error' });
  } catch {
    return `The front matter of ${path} is no valid YAML.`;
  }
  if (typeof fields !== 'object' || fields === null) return `The front matter of ${path} has no name and description.`;
  const { name, description } = fields as { readonly name?: unknown; readonly description?: unknown };
  if (typeof name !== 'string' || !namePattern.test(name.trim())) return `The front matter of ${path} has no usable name.`;
  if (typeof description !== 'string' || description.trim() === '') return `The front matter of ${path} has no description.`;
  return { name: name.trim(), description: oneLine(description, maxDescription), folder, text };
}
