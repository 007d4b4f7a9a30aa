// Declares the model events that clients receive.
import * as Type from 'typebox';
import type { WireEvent } from 'agent-harness/plugins/chats';
import { eventSchemas } from 'agent-harness/transcript/events';

export const usageEvent: WireEvent = {
  name: 'usage',
  description: 'A model call of a chat ended; these are its tokens and its cost.',
  permission: 'chats.read',
  schema: eventSchemas.usage,
};

export const providerRetryEvent: WireEvent = {
  name: 'provider_retry',
  description: 'A request to the model provider failed and is repeated after a wait; what it streamed so far is void.',
  permission: 'chats.read',
  schema: eventSchemas.provider_retry,
};

export const providerChangedEvent: WireEvent = {
  name: 'provider_changed',
  description: 'A key of the model provider was typed in or forgotten, so another model may answer from now on.',
  permission: 'server.read',
  schema: Type.Object({}, { additionalProperties: false }),
  keep: 'live',
};
