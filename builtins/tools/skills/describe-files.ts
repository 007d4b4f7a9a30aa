// What a person reads before they trust a workspace's instructions: which files, and what stands in them.
import type { Snapshot } from './snapshot.ts';

/** Of all texts together; the names of all files stand there in any case. */
const maxText = 16_000;

export function describeFiles({ files, instructions, skills }: Snapshot): string {
  const list = files.map(({ path, size }) => `${path} (${size} bytes)`);
  const texts = [
    ...[...instructions].map(([folder, text]) => ({ path: folder === '' ? 'AGENTS.md' : `${folder}/AGENTS.md`, text })),
    ...skills.map(({ folder, text }) => ({ path: `${folder}/SKILL.md`, text })),
  ].map(({ path, text }) => `--- ${path}\n${visible(text.trim())}`);
  const whole = [list.join('\n'), ...texts].join('\n\n');
  return whole.length <= maxText ? whole : `${whole.slice(0, maxText)}\n[… ${whole.length - maxText} more characters; read the files themselves]`;
}

/** Characters that reorder or hide text would hide what is trusted. */
function visible(text: string): string {
  return text.replace(/[^\P{C}\n\t]/gu, (sign) => `[U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`);
}
