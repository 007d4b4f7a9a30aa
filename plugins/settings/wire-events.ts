// Declares the events of settings and of the kernel that clients receive.
import * as Type from 'typebox';
import type { WireEvent } from 'agent-harness/plugins/chats';
import { eventSchemas } from 'agent-harness/transcript/events';

const strict = { additionalProperties: false } as const;

export const kernelWireEvents: readonly WireEvent[] = [
  {
    name: 'config_changed',
    description: 'Settings or plugins changed, so `GET /api/config` may answer something else; what changed is told to who may know.',
    permission: 'server.read',
    schema: Type.Object({}, strict),
    keep: 'live',
  },
  {
    name: 'settings_changed',
    description: 'Preferences were changed and every plugin has its new values.',
    permission: 'settings.read',
    schema: Type.Object({ keys: Type.Array(Type.String()) }, strict),
    keep: 'live',
  },
  {
    name: 'settings_pending',
    description: 'Changes of settings and plugins are saved and wait for the end of a turn: which; empty lists once all of them are in force.',
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
