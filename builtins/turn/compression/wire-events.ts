// Declares the compression events that clients receive.
import * as Type from 'typebox';
import type { WireEvent } from 'agent-harness/plugins/chats';

const inTurn = { chatId: Type.String(), turnId: Type.String() };

export const wireEvents: readonly WireEvent[] = [
  {
    name: 'context_notice',
    description: 'The next request fills 60 or 85 percent of what the model can take; both figures are tokens, `used` is estimated.',
    permission: 'chats.read',
    schema: Type.Object({ ...inTurn, used: Type.Integer(), limit: Type.Integer() }),
  },
  {
    name: 'context_compressed',
    description: 'Older rounds stand shortened from here on: tokens of the request before and after, and how many rounds were taken in.',
    permission: 'chats.read',
    schema: Type.Object({
      ...inTurn,
      turnId: Type.Optional(Type.String({ description: 'Left out where it was asked for between two turns.' })),
      before: Type.Integer(),
      after: Type.Integer(),
      rounds: Type.Integer(),
    }),
    shows: () => ({ text: 'Earlier parts of the conversation were summarised.' }),
  },
];
