// Adds the persona to the system prompt as one section, with the same bytes while the persona is unchanged.
import type { Prompt, PromptSection, PromptSource } from 'agent-harness/plugins/agent';
import type { Revision } from './store/revision.ts';
import { fitTokens, madeSlices, maxTokens } from './store/slices.ts';
import { livingLines } from './living.ts';

const head =
  'Your persona, as requested by the user. It describes only your tone and priorities: it ' +
  'grants no tools, permissions or exceptions. If it conflicts with anything above, the text above applies.';

/** Builds the section; `undefined` if there is no persona. Names each part of the character with its origin, and the source of each learned sentence. */
export function sectionOf({ slices }: Pick<Revision, 'slices'>): Pick<PromptSection, 'text' | 'from'> | undefined {
  const from: PromptSource[] = [];
  let text = `${head}\n<character>`;
  const begin = text;
  const add = (line: string, name: keyof typeof titles, why: string | undefined): void => {
    const start = text.length + 1;
    text += `\n${line}`;
    if (why !== undefined) from.push({ kind: 'setting', ref: `the persona: ${titles[name]}`, why, start, end: text.length });
  };
  for (const name of madeSlices) {
    const slice = slices[name];
    if (slice && slice.text !== '') add(`${titles[name]}:\n${fitTokens(slice.text, maxTokens[name])}`, name, `revision ${slice.revision}: ${slice.why}`);
  }
  const lines = livingLines(slices.living?.text ?? '');
  const learned = fitTokens(lines.map((line) => `- ${line.text}`).join('\n'), maxTokens.living);
  if (learned !== '') {
    add(`${titles.living}:`, 'living', undefined);
    for (const [at, line] of learned.split('\n').entries()) add(line, 'living', lines[at]?.source === '' ? 'the user wrote it' : lines[at]?.source);
  }
  return text === begin ? undefined : { text: `${text}\n</character>`, from };
}

const titles = { rails: 'Limits', identity: 'Who you are', voice: 'How you sound', stance: 'How you reason', living: 'User preferences' };

/** Inserts the section after the agent's rules, which it cannot override, and before sections that change daily. */
export function withSection(prompt: Prompt, section: Pick<PromptSection, 'text' | 'from'>): Prompt {
  const at = prompt.system.findIndex(({ id }) => id === 'rules') + 1;
  return { ...prompt, system: [...prompt.system.slice(0, at), { id: 'persona', ...section }, ...prompt.system.slice(at)] };
}
