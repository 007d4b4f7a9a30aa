// What a person reads before they trust a workspace's instructions: which files, and what stands in them.
import { showHidden } from 'agent-harness/lib/hidden-text';
import { textStart } from 'agent-harness/lib/text';
import type { Snapshot } from './snapshot.ts';

/** Of all texts together; the names of all files stand there in any case. */
const maxText = 16_000;

export function describeFiles({ files, instructions, skills }: Snapshot): string {
  const list = files.map(({ path, size }) => `${path} (${size} bytes)`);
  const texts = [
    ...[...instructions].map(([folder, text]) => ({ path: folder === '' ? 'AGENTS.md' : `${folder}/AGENTS.md`, text })),
    ...skills.map(({ folder, text }) => ({ path: `${folder}/SKILL.md`, text })),
  ].map(({ path, text }) => `--- ${path}\n${text.trim()}`);
  // Characters that reorder or hide text would hide what is trusted.
  const whole = showHidden([list.join('\n'), ...texts].join('\n\n'));
  return whole.length <= maxText ? whole : `${textStart(whole, maxText)}\n[… ${whole.length - maxText} more characters; read the files themselves]`;
}
