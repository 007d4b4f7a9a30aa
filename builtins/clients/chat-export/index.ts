// Registers export and import of chats as files.
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/http';
import { createExportRoutes } from './routes.ts';

export const manifest = {
  name: 'chat-export',
  requires: ['chats'],
  errors: {
    NOT_A_CHAT: { message: 'This is not an exported chat: {why} Export a chat as JSON, and import that file.', status: 400 },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  const { services } = registry;
  for (const route of createExportRoutes(
    () => services.chats,
    (why) => registry.error('NOT_A_CHAT', { why }),
  ))
    registry.add('route', route);
}
