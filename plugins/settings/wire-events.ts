// The events of settings and of the kernel itself, as clients see them.
import * as Type from 'typebox';
import type { WireEvent } from 'agent-harness/plugins/chats';
import { eventSchemas } from 'agent-harness/transcript/events';

const strict = { additionalProperties: false } as const;

export const kernelWireEvents: readonly WireEvent[] = [
  {
    name: 'settings_changed',
    description: 'Preferences were changed and every plugin has its new values.',
    schema: Type.Object({ keys: Type.Array(Type.String()) }, strict),
    keep: 'live',
  },
  {
    name: 'settings_pending',
    description: 'Changes of settings and plugins are saved and wait for the end of a turn: which; empty lists once all of them are in force.',
    schema: Type.Object({ keys: Type.Array(Type.String()), plugins: Type.Array(Type.String()) }, strict),
    keep: 'live',
  },
  {
    name: 'plugin_changed',
    description: 'A plugin became active, locked, unmet, failed or disabled.',
    schema: Type.Object({ name: Type.String(), state: Type.String(), reason: Type.Optional(Type.String()) }, strict),
    keep: 'live',
  },
  {
    name: 'error',
    description: 'A fault outside a turn that somebody should see; it belongs to no chat.',
    schema: eventSchemas.error,
    keep: 'newest',
  },
];
