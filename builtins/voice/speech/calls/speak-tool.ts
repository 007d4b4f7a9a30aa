// Implements the tool `speak`, with which the agent reads a text aloud.
import * as Type from 'typebox';
import { clip } from '#lib/text';
import { BoundedMap } from '#lib/values';
import type { Tool } from 'agent-harness/plugins/tools';
import type { MakeError } from '../errors.ts';
import type { SpeechCode } from '../open-speech.ts';

const input = Type.Object(
  { text: Type.String({ minLength: 1, maxLength: 100_000, description: "Plain sentences, in the user's language." }) },
  { additionalProperties: false },
);

const mostTurns = 256;

export function createSpeakTool(code: () => Promise<SpeechCode>, makeError: MakeError): Tool {
  return {
    name: 'speak',
    family: 'audio',
    description:
      'Reads a text aloud to the user, in addition to your reply. For what they must hear now or asked to hear; replies that are read aloud anyway need no call.',
    input,
    // The text goes to the provider that receives the conversation anyway, or stays on this machine.
    effects: ['read'],
    replay: 'never',
    sendsArguments: true,
    display: { icon: 'speaker', subject: ({ text }: { readonly text: string }) => clip(text, 80) },
    load: async () => {
      const { replies, budget, partsOf } = await code();
      /** Spoken texts by turn, so that each text is spoken once; several chats may have running turns. */
      const said = new BoundedMap<string, Set<string>>(mostTurns);
      return async ({ text }: { readonly text: string }, { chatId, turnId, signal }) => {
        const { parts, taken } = partsOf(text);
        if (parts.length === 0) throw makeError('NOTHING_TO_SAY');
        const before = said.get(turnId) ?? new Set();
        said.set(turnId, before);
        const words = parts.join(' ');
        if (before.has(words)) return 'Already spoken in this turn; not repeated.';
        await budget.take(turnId, signal);
        const clips = await replies.say(chatId, turnId, parts, signal);
        before.add(words);
        const made = await Promise.all(clips.map((one) => one.made));
        const seconds = made.reduce((sum, { durationSec }) => sum + (durationSec ?? 0), 0);
        const rest = taken < text.length ? ` The last ${text.length - taken} characters exceeded the limit of a call and were not spoken.` : '';
        return `Spoken in ${clips.length} part${clips.length === 1 ? '' : 's'}${seconds > 0 ? `, ${seconds.toFixed(1)} s` : ''}.${rest}`;
      };
    },
  };
}
