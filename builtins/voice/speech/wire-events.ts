// Defines the wire events of speech. They are not in the journal, because clients that join later read the text.
import * as Type from 'typebox';
import type { WireEvent } from 'agent-harness/plugins/chats';

const part = {
  chatId: Type.String(),
  turnId: Type.Optional(Type.String()),
  messageId: Type.Optional(Type.String({ description: 'Id of the reply that is read aloud.' })),
  speakerId: Type.Optional(Type.String({ description: 'The client that plays it; omitted if no client plays the replies of the chat.' })),
  epoch: Type.Integer({ description: 'Audio of an earlier epoch must stop.' }),
  seq: Type.Integer({ description: 'Number of the part, from 0 in each epoch, without gaps.' }),
  text: Type.String({ description: 'Spoken form of the text.' }),
};

export const speechEvents: readonly WireEvent[] = [
  {
    name: 'speak',
    description: 'A part of a text can be played.',
    permission: 'chats.read',
    schema: Type.Object({
      ...part,
      clipId: Type.String(),
      url: Type.String(),
      durationSec: Type.Union([Type.Number(), Type.Null()], { description: 'Null while unknown.' }),
    }),
    keep: 'live',
  },
  {
    name: 'speak_failed',
    description: 'A part of a text cannot be played; the next parts follow.',
    permission: 'chats.read',
    schema: Type.Object({ ...part, code: Type.String(), message: Type.String() }),
    keep: 'live',
  },
  {
    name: 'speaker',
    description: 'The client that plays the replies of a chat, and its first epoch: audio of earlier epochs stops now.',
    permission: 'chats.read',
    schema: Type.Object({
      chatId: Type.String(),
      speakerId: Type.Union([Type.String(), Type.Null()]),
      epoch: Type.Integer(),
      reason: Type.String({ description: 'claimed, released, message, stop, barge_in, abort.' }),
    }),
    keep: 'live',
  },
];
