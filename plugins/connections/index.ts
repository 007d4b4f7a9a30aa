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

/** The event that clients receive when a connection changes. */
const changedEvent: WireEvent = {
  name: 'integration_changed',
  description: 'A connection or an account was added or removed, or its status changed.',
  permission: 'owner',
  keep: 'live',
  schema: Type.Object({
    connectionKind: Type.String({ description: 'Kind of the connection, as its source defines it; `provider` for an account.' }),
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
      message: "'{name}' is not a valid name for a connection. Use 1 to 64 lower-case letters, digits, '-' and '_', beginning with a letter.",
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
