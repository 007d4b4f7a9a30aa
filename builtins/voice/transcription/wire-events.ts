// Defines the wire event of transcription.
import * as Type from 'typebox';
import type { WireEvent } from 'agent-harness/plugins/chats';

/** Not in the journal: the recording and its text are stored together, and the part that the user sends is a message. */
export const transcriptionEvent: WireEvent = {
  name: 'transcription',
  description: 'A recording was transcribed.',
  permission: 'chats.read',
  schema: Type.Object({
    chatId: Type.String(),
    turnId: Type.Optional(Type.String()),
    attachmentId: Type.String(),
    text: Type.String(),
    durationSec: Type.Union([Type.Number(), Type.Null()]),
    language: Type.String(),
    cost: Type.Union([Type.Number(), Type.Null()]),
    engine: Type.String(),
  }),
  keep: 'live',
};
