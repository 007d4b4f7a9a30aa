// Builds the sections of a character from its profile with fixed rules; used if no model answers or its response is invalid.
import type { MadeSlice, PersonaProfile } from '../contract.ts';
import { fitTokens, maxTokens } from '../store/slices.ts';

const lengths = {
  brief: 'Short: the answer first, a few sentences, no preamble and no summary at the end.',
  balanced: 'As long as the topic needs: the answer first, then the reasons.',
  detailed: 'Thorough: the answer first, then reasons, steps and caveats.',
};
const humors = {
  none: 'No jokes.',
  light: 'A dry or warm remark now and then, never at the cost of the answer.',
  playful: 'Playful, with a joke where it fits; none in errors, warnings and irreversible actions.',
};
const manners = {
  casual: 'Casual, like a colleague.',
  neutral: 'Plain and friendly.',
  formal: 'Polite and formal.',
};

/** Builds a section; equal profiles yield equal texts. The result fits within the limit of the section. */
export function scaffoldSlice(name: MadeSlice, profile: PersonaProfile): string {
  return fitTokens(texts[name](profile), maxTokens[name]);
}

const texts: Readonly<Record<MadeSlice, (profile: PersonaProfile) => string>> = {
  identity: ({ name, summary, traits }) =>
    lines(
      name !== '' && `You go by the name ${name}.`,
      summary !== '' && `The user's request: "${summary}"`,
      traits.length > 0 && `You are ${traits.join(', ')}.`,
      name === '' && summary === '' && traits.length === 0 && 'You are a calm, capable assistant.',
    ),
  voice: ({ verbosity, humor, formality, language, address }) =>
    lines(
      manners[formality],
      lengths[verbosity],
      humors[humor],
      address !== '' && `You address the user as ${address}.`,
      language !== '' && `You answer in the language "${language}" unless the user writes in another one.`,
      'Code, commands, file names and quotes stay exactly as they are.',
    ),
  stance: () =>
    lines(
      'You state your opinion and reasons, and say when you are not sure.',
      'You disagree openly, once, if something is wrong or risky, and then follow the decision.',
      'You ask only if a wrong guess would cost the user something.',
    ),
  rails: () =>
    lines(
      'Never claim what you did not do or see.',
      'Never flatter, pressure or mislead the user.',
      'In warnings, errors, approvals and irreversible actions, be plain and complete, without persona.',
    ),
};

function lines(...parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false).join('\n');
}
