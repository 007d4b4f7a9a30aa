// Builds the prompt sections for trusted instructions and skills, within a size limit.
import type { PromptSection, PromptSource } from 'agent-harness/plugins/agent';
import type { Skill } from './parse-skill.ts';

/** Maximum total size of the AGENTS.md files in one request, in bytes. */
const maxBytes = 32 * 1024;
const maxSkillBytes = 8 * 1024;

export function describeRoot(text: string | undefined): { readonly sections: readonly PromptSection[]; readonly bytesLeft: number } {
  if (text === undefined) return { sections: [], bytesLeft: maxBytes };
  const shown = cut(text, maxBytes, 'AGENTS.md');
  return {
    sections: [{ id: 'workspace_instructions', text: `Instructions of this workspace (AGENTS.md):\n${shown}`, from: [{ kind: 'file', ref: 'AGENTS.md' }] }],
    bytesLeft: maxBytes - Buffer.byteLength(shown),
  };
}

/** Returns a section with the AGENTS.md files above the accessed paths, outermost first. */
export function describeNested(
  instructions: ReadonlyMap<string, string>,
  touched: ReadonlySet<string>,
  bytesLeft: number,
): Pick<PromptSection, 'text' | 'from'> | undefined {
  let left = bytesLeft;
  let all = '';
  const from: PromptSource[] = [];
  for (const [folder, text] of instructions) {
    if (folder === '' || !touched.has(folder) || left <= 0) continue;
    const shown = cut(text, left, `${folder}/AGENTS.md`);
    left -= Buffer.byteLength(shown);
    const part = `Instructions for files under ${folder}/ (${folder}/AGENTS.md):\n${shown}`;
    const start = all === '' ? 0 : all.length + 2;
    all += `${all === '' ? '' : '\n\n'}${part}`;
    from.push({ kind: 'file', ref: `${folder}/AGENTS.md`, start, end: all.length });
  }
  return all === '' ? undefined : { text: all, from };
}

export function describeSkills(skills: readonly Skill[]): readonly PromptSection[] {
  if (skills.length === 0) return [];
  let left = maxSkillBytes;
  let text = 'Skills. If one fits the task, first call use_skill with its name, then follow it:';
  const from: PromptSource[] = [];
  for (const { name, description, folder } of skills) {
    const line = `- ${name}: ${description}`;
    left -= Buffer.byteLength(line);
    const start = text.length + 1;
    text += `\n${left >= 0 ? line : `- ${name}`}`;
    from.push({ kind: 'file', ref: `${folder}/SKILL.md`, start, end: text.length });
  }
  return [{ id: 'skills', text, from }];
}

/** Truncates a text to a limit in bytes that includes the truncation note. */
function cut(text: string, limit: number, path: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= limit) return text;
  const note = `\n[… ${path} truncated; use read_file]`;
  // A character that is split by the cut is dropped.
  const kept = bytes
    .subarray(0, Math.max(0, limit - Buffer.byteLength(note)))
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
  return `${kept}${note}`;
}
