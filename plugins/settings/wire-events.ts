// Declares the events of settings and of the kernel that clients receive.
import * as Type from 'typebox';
import type { WireEvent } from 'agent-harness/plugins/chats';
import { eventSchemas } from 'agent-harness/transcript/events';

const strict = { additionalProperties: false } as const;

export const kernelWireEvents: readonly WireEvent[] = [
  {
    name: 'config_changed',
    description: 'Settings or plugins changed, so the reply of `GET /api/config` may be different. Contains no details.',
    permission: 'server.read',
    schema: Type.Object({}, strict),
    keep: 'live',
  },
  {
    name: 'settings_changed',
    description: 'Preferences changed, and every plugin has the new values.',
    permission: 'settings.read',
    schema: Type.Object({ keys: Type.Array(Type.String()) }, strict),
    keep: 'live',
  },
  {
    name: 'settings_pending',
    description: 'Lists the saved changes of settings and plugins that wait for the end of a turn; empty after all of them were applied.',
    permission: 'settings.read',
    schema: Type.Object({ keys: Type.Array(Type.String()), plugins: Type.Array(Type.String()) }, strict),
    keep: 'live',
  },
  {
    name: 'plugin_changed',
    description: 'A plugin became active, locked, unmet, failed or disabled.',
    permission: 'server.manage',
    schema: Type.Object({ name: Type.String(), state: Type.String(), reason: Type.Optional(Type.String()) }, strict),
    keep: 'live',
  },
  {
    name: 'error',
    description: 'A fault outside a turn that the user should see; it belongs to no chat.',
    permission: 'server.manage',
    schema: eventSchemas.error,
    keep: 'newest',
  },
];
