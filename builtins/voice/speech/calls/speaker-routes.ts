// Serves the routes for clients that claim the speech of a chat and report how much of it was heard.
import * as Type from 'typebox';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Route } from 'agent-harness/plugins/http';
import type { SpeechSettings } from '../config.ts';
import type { MakeError } from '../errors.ts';
import type { SpeechCode } from '../open-speech.ts';

const chatId = Type.Optional(Type.String({ description: 'Id of the chat; default: the active chat.' }));
const epoch = Type.Integer({ minimum: 0 });

const speaker = {
  body: Type.Object(
    {
      chatId,
      speakerId: Type.String({ minLength: 1, maxLength: 64, pattern: '^[\\w.:-]+$' }),
      on: Type.Boolean(),
      renew: Type.Optional(Type.Boolean({ description: 'true: renews the claim if no other client has claimed the chat since. Default: false.' })),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({ speakerId: Type.Union([Type.String(), Type.Null()]), epoch }),
};
const heard = {
  body: Type.Object(
    {
      chatId,
      epoch,
      seq: Type.Integer({ minimum: 0, description: 'Number of the last part that was played.' }),
      heardChars: Type.Integer({ minimum: 0, description: 'Number of played characters of its text.' }),
      reason: Type.Union([Type.Literal('barge_in'), Type.Literal('stop'), Type.Literal('finished')]),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({
    ok: Type.Boolean(),
    epoch,
    more: Type.Boolean({ description: 'Whether further parts of that epoch follow, as far as the model has written.' }),
  }),
};

export interface SpeakerRouteParts {
  readonly settings: SpeechSettings;
  readonly chats: Chats;
  code(): Promise<SpeechCode>;
  readonly makeError: MakeError;
}

export function speakerRoutes({ settings, chats, code, makeError }: SpeakerRouteParts): [Route<typeof speaker>, Route<typeof heard>] {
  return [
    {
      key: 'PUT /api/tts/speaker',
      command: 'speak_here',
      summary:
        'Claims the playback of the spoken replies of a chat: the newest claim wins. It ends after 60 s, or when no client has read the events of the chat for 30 s.',
      tag: 'audio',
      permission: 'chats.write',
      schema: speaker,
      async handle({ body }) {
        if (!settings.isEnabled) throw makeError('DISABLED');
        const chat = await chats.get(body.chatId);
        return (await code()).replies.claim(chat.chatId, body.speakerId, body.on, body.renew);
      },
    },
    {
      key: 'POST /api/tts/heard',
      command: 'speak_heard',
      summary: 'Reports how much of a spoken reply was played. An interruption ends its epoch, and the model is informed.',
      tag: 'audio',
      permission: 'chats.write',
      schema: heard,
      async handle({ body }) {
        if (!settings.isEnabled) throw makeError('DISABLED');
        const chat = await chats.get(body.chatId);
        return { ok: true, ...(await code()).replies.heard({ ...body, chatId: chat.chatId }) };
      },
    },
  ];
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'PUT /api/tts/speaker': typeof speaker;
    'POST /api/tts/heard': typeof heard;
  }
}
