// Serves `POST /api/tts`, which converts a text to audio clips.
import * as Type from 'typebox';
import type { Turns } from 'agent-harness/plugins/agent';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Route } from 'agent-harness/plugins/http';
import type { Clip, MadeClip } from '../clips/clip-maker.ts';
import type { SpeechSettings } from '../config.ts';
import type { MakeError } from '../errors.ts';
import type { SpeechCode } from '../open-speech.ts';

const schema = {
  body: Type.Object(
    {
      text: Type.String({ minLength: 1, maxLength: 1_000_000, description: 'Markdown. Content that cannot be spoken is described or omitted.' }),
      voice: Type.Optional(Type.String({ minLength: 1, maxLength: 80, pattern: '^[\\w .+()/-]+$' })),
      chatId: Type.Optional(Type.String({ description: 'Id of the chat; default: the active chat.' })),
      wait: Type.Optional(Type.Boolean({ description: 'false: returns immediately, while the clips are being produced. Default: true.' })),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({
    clips: Type.Array(
      Type.Object({
        clipId: Type.String(),
        url: Type.String(),
        text: Type.String({ description: 'Spoken form of the text.' }),
        durationSec: Type.Union([Type.Number(), Type.Null()], { description: 'Null while unknown, or if it cannot be determined.' }),
        cached: Type.Boolean(),
      }),
    ),
    cost: Type.Union([Type.Number(), Type.Null()], { description: 'USD; null while unknown, or if it cannot be determined.' }),
    taken: Type.Integer({ description: 'Number of characters of the text that the clips cover; send the rest in another call.' }),
  }),
};

export interface TtsRouteParts {
  readonly settings: SpeechSettings;
  readonly chats: Chats;
  readonly turns: () => Turns;
  readonly signal: AbortSignal;
  code(): Promise<SpeechCode>;
  readonly makeError: MakeError;
}

export function ttsRoute({ settings, chats, turns, signal, code, makeError }: TtsRouteParts): Route<typeof schema> {
  return {
    key: 'POST /api/tts',
    command: 'speak',
    summary: 'Converts a text to speech: returns clips in playback order, and their cost.',
    tag: 'audio',
    // Creating clips costs money; hearing existing clips needs only read permission.
    permission: 'chats.write',
    schema,
    async handle({ body, signal: leaving }) {
      if (!settings.isEnabled) throw makeError('DISABLED');
      const { chatId } = await chats.get(body.chatId);
      const { maker, budget, partsOf } = await code();
      const { parts, taken } = partsOf(body.text);
      if (parts.length === 0) throw makeError('NOTHING_TO_SAY');
      const { turnId } = turns().status(chatId);
      const waits = body.wait !== false;
      const ending = waits ? AbortSignal.any([signal, leaving]) : signal;
      if (turnId !== undefined) await budget.take(turnId, ending);
      const wish = { chatId, voice: body.voice ?? settings.voice, ...(turnId === undefined ? {} : { turnId }) };
      const clips = await Promise.all(parts.map((text) => maker.make({ ...wish, text }, ending)));
      const made = waits ? await Promise.all(clips.map((clip) => clip.made)) : await Promise.all(clips.map(knownOf));
      return { clips: clips.map((clip, index) => shown(clip, made[index])), cost: costOf(made), taken };
    },
  };
}

async function knownOf({ isCached, made }: Clip): Promise<MadeClip> {
  return isCached ? made : { durationSec: null, cost: null };
}

function shown(
  { clipId, url, text, isCached }: Clip,
  made: MadeClip | undefined,
): { clipId: string; url: string; text: string; durationSec: number | null; cached: boolean } {
  return { clipId, url, text, durationSec: made?.durationSec ?? null, cached: isCached };
}

/** Returns the sum of the costs; `null` if one of them is unknown. */
export function costOf(made: readonly Pick<MadeClip, 'cost'>[]): number | null {
  let sum = 0;
  for (const { cost } of made) {
    if (cost === null) return null;
    sum += cost;
  }
  return sum;
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'POST /api/tts': typeof schema;
  }
}
