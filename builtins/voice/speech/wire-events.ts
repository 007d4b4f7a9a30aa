// Defines the wire events of speech. They are not in the journal: clients that join later read the text.
import * as Type from 'typebox';
import type { WireEvent } from 'agent-harness/plugins/chats';

const part = {
  chatId: Type.String(),
  turnId: Type.Optional(Type.String()),
  messageId: Type.Optional(Type.String({ description: 'Of the reply that is read aloud.' })),
  speakerId: Type.Optional(Type.String({ description: 'The client that plays it; left out if no client plays the replies of the chat.' })),
  epoch: Type.Integer({ description: 'Audio of an earlier epoch must stop.' }),
  seq: Type.Integer({ description: 'From 0 in each epoch, without a gap.' }),
  text: Type.String({ description: 'As it is said.' }),
};

export const speechEvents: readonly WireEvent[] = [
  {
    name: 'speak',
    description: 'A part of a text can be heard.',
    permission: 'chats.read',
    schema: Type.Object({
      ...part,
      clipId: Type.String(),
      url: Type.String(),
      durationSec: Type.Union([Type.Number(), Type.Null()], { description: 'Null while it is not known.' }),
    }),
    keep: 'live',
  },
  {
    name: 'speak_failed',
    description: 'A part of a text cannot be heard; those behind it follow.',
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
