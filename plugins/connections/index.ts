// Registers external connections: lists all connections, and stores their entries and secrets.
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type { WireEvent } from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/connections';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/storage';
import { createConnectionStore } from './connection-store.ts';
import { createListRoute } from './list-route.ts';
import { createSources } from './sources.ts';
import * as Type from 'typebox';

/** The event for clients when a connection changes. */
const changedEvent: WireEvent = {
  name: 'integration_changed',
  description: 'A connection or an account came, went or changed its status.',
  permission: 'owner',
  keep: 'live',
  schema: Type.Object({
    connectionKind: Type.String({ description: 'As its source says, or `provider` for an account.' }),
    name: Type.String(),
    status: Type.String(),
  }),
};

export const manifest = {
  name: 'connections',
  requires: ['storage', 'product'],
  provides: ['connectionStore'],
  events: ['integration_changed'],
  errors: {
    ENTRY_INVALID: {
      message: "'{name}' cannot be the name of a connection: use small letters, digits, '-' and '_', at most 64, beginning with a letter.",
      status: 400,
    },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const sources = createSources((name, fault) => registry.log.warn(`the connections of '${name}' cannot be listed: ${String(fault)}`));
  registry.point('connection_source', sources.point);
  registry.provide('connectionStore', () => createConnectionStore(registry.services, (name) => registry.error('ENTRY_INVALID', { name })));
  registry.add('route', createListRoute(sources));
  registry.add('wire_event', changedEvent);
  emitter.hook('connection.changed', 'series', { onError: 'skip' });
  emitter.tap('connection.changed', ({ kind, ...change }) => emitter.emit('integration_changed', { connectionKind: kind, ...change }), { order: 'post' });
}
