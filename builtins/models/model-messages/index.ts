// Registers the adapter of the messages API for Anthropic and compatible endpoints.
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/models';
import type {} from 'agent-harness/plugins/storage';

export const manifest = {
  name: 'model-messages',
  requires: ['storage'],
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  registry.add('model_adapter', {
    name: 'messages',
    wire: 'messages',
    async load(transport) {
      const { createAdapter } = await import('./adapter.ts');
      return createAdapter(transport, () => registry.services.storage.createId('call'));
    },
  });
}
