// The chat-completions wire: any endpoint that is compatible with it, hosted or local.
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/models';
import type {} from 'agent-harness/plugins/storage';

export const manifest = {
  name: 'model-chat-completions',
  requires: ['storage'],
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  registry.add('model_adapter', {
    name: 'chat-completions',
    wire: 'chat-completions',
    async load(transport) {
      const { createAdapter } = await import('./adapter.ts');
      return createAdapter(transport, () => registry.services.storage.createId('call'));
    },
  });
}
