// Registers the event stream for clients, and the service for additional transports.
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/storage';
import type { Stream } from 'agent-harness/plugins/stream';
import { audienceOf } from './audience.ts';
import { viewOf } from './batch.ts';
import { createReaders, type Readers } from './readers.ts';
import { createStreamRoute } from './stream-route.ts';

export const manifest = {
  name: 'stream',
  requires: ['eventLog', 'chats', 'turns', 'product'],
  provides: ['stream'],
} as const satisfies PluginManifest;

const statusFields = Type.Object({
  clients: Type.Optional(Type.Integer({ 'x-permission': 'server.manage', description: 'Number of readers of the stream.' })),
});

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  let made: Readers | undefined;
  const readers = (): Readers =>
    (made ??= createReaders({ services: registry.services, onFault: (fault) => registry.log.warn(`a reader of the event stream failed: ${String(fault)}`) }));

  const stream: Stream = {
    get clients() {
      return made?.count ?? 0;
    },
    isRead: (chatId) => made?.isRead(chatId) ?? false,
    async read({ rights, chatId, since }, wire, open) {
      const { chats, eventLog } = registry.services;
      const audience = audienceOf(rights, eventLog);
      readers().add(await viewOf(chatId, audience, chats), { wire, open, since });
    },
  };

  registry.provide('stream', () => stream);
  registry.defer(() => made?.close(), 'readers');

  registry.add('route', createStreamRoute(stream.read));
  emitter.on('token_rotated', () => made?.endAll());
  emitter.tap('app.stop', () => made?.endAll());
  registry.add('reply_section', {
    route: 'GET /api/status',
    name: 'clients',
    fields: statusFields,
    read: () => ({ clients: made?.count ?? 0 }),
  });
}

declare module 'agent-harness/plugins/http' {
  interface ReplyFields {
    'GET /api/status clients': typeof statusFields;
  }
}
