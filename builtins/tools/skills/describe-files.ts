// Builds the text that describes a workspace's instructions for the trust decision: the files with their content.
import { showHidden } from '#lib/hidden-text';
import { textStart } from '#lib/text';
import type { Snapshot } from './snapshot.ts';

/** Maximum total length of the texts in UTF-16 code units; the names of all files are always included. */
const maxText = 16_000;

export function describeFiles({ files, instructions, skills }: Snapshot): string {
  const list = files.map(({ path, size }) => `${path} (${size} bytes)`);
  const texts = [
    ...[...instructions].map(([folder, text]) => ({ path: folder === '' ? 'AGENTS.md' : `${folder}/AGENTS.md`, text })),
    ...skills.map(({ folder, text }) => ({ path: `${folder}/SKILL.md`, text })),
  ].map(({ path, text }) => `--- ${path}\n${text.trim()}`);
  // Makes characters visible that reorder or hide text, because they could conceal content.
  const whole = showHidden([list.join('\n'), ...texts].join('\n\n'));
  return whole.length <= maxText ? whole : `${textStart(whole, maxText)}\n[… ${whole.length - maxText} more characters; read the files themselves]`;
}
