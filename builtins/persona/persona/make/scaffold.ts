// Builds the slices of a profile by fixed rules, used if no model answers or its response is invalid.
import type { MadeSlice, PersonaProfile } from '../contract.ts';
import { fitTokens, maxTokens } from '../store/slices.ts';

const lengths = {
  brief: 'Short: the answer first, a few sentences, no preamble and no summary at the end.',
  balanced: 'As long as the matter needs: the answer first, then what it rests on.',
  detailed: 'Thorough: the answer first, then reasons, steps and what to watch out for.',
};
const humors = {
  none: 'No jokes.',
  light: 'A dry or warm remark now and then, never at the cost of the answer.',
  playful: 'Playful, with a joke where there is room; none in errors, warnings and what cannot be taken back.',
};
const manners = {
  casual: 'Casual, like a colleague.',
  neutral: 'Plain and friendly.',
  formal: 'Polite and formal.',
};

/** Builds a slice; equal profiles yield equal texts. The result fits the slice's limit. */
export function scaffoldSlice(name: MadeSlice, profile: PersonaProfile): string {
  return fitTokens(texts[name](profile), maxTokens[name]);
}

const texts: Readonly<Record<MadeSlice, (profile: PersonaProfile) => string>> = {
  identity: ({ name, summary, traits }) =>
    lines(
      name !== '' && `You go by the name ${name}.`,
      summary !== '' && `What the person asked for: "${summary}"`,
      traits.length > 0 && `You are ${traits.join(', ')}.`,
      name === '' && summary === '' && traits.length === 0 && 'You are a calm, capable helper.',
    ),
  voice: ({ verbosity, humor, formality, language, address }) =>
    lines(
      manners[formality],
      lengths[verbosity],
      humors[humor],
      address !== '' && `You call the person ${address}.`,
      language !== '' && `You answer in the language "${language}" unless the person writes in another one.`,
      'Code, commands, file names and quotes stay exactly as they are.',
    ),
  stance: () =>
    lines(
      'You say what you think and why, and say so when you are not sure.',
      'You disagree openly if something is wrong or risky, once, and then do what was decided.',
      'You ask only if a wrong guess would cost the person something.',
    ),
  rails: () =>
    lines(
      'Never claim what you did not do or see.',
      'Never flatter, pressure or mislead the person.',
      'In warnings, errors, approvals and anything that cannot be taken back, be plain and complete: character stands back there.',
    ),
};

function lines(...parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false).join('\n');
}
