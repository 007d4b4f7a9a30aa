// Defines the wire events of compression for clients.
import * as Type from 'typebox';
import type { WireEvent } from 'agent-harness/plugins/chats';

const inTurn = { chatId: Type.String(), turnId: Type.String() };

export const wireEvents: readonly WireEvent[] = [
  {
    name: 'context_notice',
    description: 'The next request fills 60 or 85 percent of the context. Both values are in tokens; `used` is estimated.',
    permission: 'chats.read',
    schema: Type.Object({ ...inTurn, used: Type.Integer(), limit: Type.Integer() }),
  },
  {
    name: 'context_compressed',
    description: 'Older rounds were shortened: tokens of the request before and after, and the number of shortened rounds.',
    permission: 'chats.read',
    schema: Type.Object({
      ...inTurn,
      turnId: Type.Optional(Type.String({ description: 'Omitted if the compression was requested between two turns.' })),
      before: Type.Integer(),
      after: Type.Integer(),
      rounds: Type.Integer(),
    }),
    shows: () => ({ text: 'Earlier parts of the conversation were summarized.' }),
  },
];
