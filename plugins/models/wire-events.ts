// The events of this plugin as clients see them.
import * as Type from 'typebox';
import type { WireEvent } from 'agent-harness/plugins/chats';

const scope = { chatId: Type.String(), turnId: Type.Optional(Type.String()) };

export const usageEvent: WireEvent = {
  name: 'usage',
  description: 'A model call of a chat ended; these are its tokens and its cost.',
  schema: Type.Object({
    ...scope,
    model: Type.String(),
    purpose: Type.String(),
    plugin: Type.String({ description: 'Who asked.' }),
    input: Type.Integer(),
    output: Type.Integer(),
    cached: Type.Integer(),
    cost: Type.Optional(Type.Number()),
  }),
};

export const providerRetryEvent: WireEvent = {
  name: 'provider_retry',
  description: 'A request to the model provider failed and is repeated after a wait; what it streamed so far is void.',
  schema: Type.Object({
    ...scope,
    attempt: Type.Integer(),
    of: Type.Integer(),
    reason: Type.String(),
    delayMs: Type.Integer(),
    purpose: Type.Optional(Type.String({ description: 'Of the request; only one for `chat` makes void what a person read.' })),
  }),
};
