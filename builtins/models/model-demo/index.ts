// Registers the demo model, which answers until a key is configured: offline, deterministic, and with calls to real tools.
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/models';
import type {} from 'agent-harness/plugins/storage';

export const manifest = { name: 'model-demo', requires: ['product'] } as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, _emitter: Emitter): void {
  const { product } = registry.services;
  registry.add('model_adapter', {
    name: 'demo',
    wire: 'demo',
    load: async () => (await import('./demo-adapter.ts')).createDemoAdapter(product),
  });
}
