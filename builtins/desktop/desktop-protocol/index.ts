// Registers the desktop protocol: a WebSocket that replaces HTTP requests and the event stream for one client.
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type { WebSocketRoute } from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/stream';
import { errors } from './error-table.ts';
import { limits } from './limits.ts';

export const manifest = {
  name: 'desktop-protocol',
  requires: ['http', 'stream'],
  errors,
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  const makeError = registry.error.bind(registry);
  let open = 0;
  const route: WebSocketRoute = {
    path: '/api/ws',
    permission: 'chats.read',
    maxMessageBytes: limits.frameBytes,
    maxAtOnce: limits.commandsAtOnce,
    open(connection, caller) {
      connection.signal.addEventListener('abort', () => open--);
      const isFull = ++open > limits.connections;
      // Frames wait until the module has been loaded.
      const session = import('./session.ts').then(({ openSession }) => openSession({ connection, caller, services: registry.services, makeError }, isFull));
      connection.onMessage(async (content) => (await session).take(content));
      return session.then(() => undefined);
    },
  };
  registry.add('web_socket', route);
}
