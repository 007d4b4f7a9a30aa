// The events of this plugin as clients see them.
import type { WireEvent } from 'agent-harness/plugins/chats';
import { eventSchemas } from 'agent-harness/transcript/events';

export const usageEvent: WireEvent = {
  name: 'usage',
  description: 'A model call of a chat ended; these are its tokens and its cost.',
  schema: eventSchemas.usage,
};

export const providerRetryEvent: WireEvent = {
  name: 'provider_retry',
  description: 'A request to the model provider failed and is repeated after a wait; what it streamed so far is void.',
  schema: eventSchemas.provider_retry,
};
