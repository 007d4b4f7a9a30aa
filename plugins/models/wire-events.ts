// Declares the model events that clients receive.
import * as Type from 'typebox';
import type { WireEvent } from 'agent-harness/plugins/chats';
import { eventSchemas } from 'agent-harness/transcript/events';

export const usageEvent: WireEvent = {
  name: 'usage',
  description: 'A model call of a chat ended. Contains its tokens and cost.',
  permission: 'chats.read',
  schema: eventSchemas.usage,
};

export const providerRetryEvent: WireEvent = {
  name: 'provider_retry',
  description: 'A model request failed and is repeated after a delay. Clients discard the text that it streamed.',
  permission: 'chats.read',
  schema: eventSchemas.provider_retry,
};

export const providerChangedEvent: WireEvent = {
  name: 'provider_changed',
  description: 'The user entered or removed a key of a model provider, so another model may be used from now on.',
  permission: 'server.read',
  schema: Type.Object({}, { additionalProperties: false }),
  keep: 'live',
};
