// Registers the adapters for OpenAI and compatible servers, hosted or local: chat completions and Responses.
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/models';
import type {} from 'agent-harness/plugins/storage';

export const manifest = {
  name: 'model-chat-completions',
  requires: ['storage'],
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  const createId = (): string => registry.services.storage.createId('call');
  registry.add('model_adapter', {
    name: 'chat-completions',
    wire: 'chat-completions',
    load: async (transport) => (await import('./adapter.ts')).createAdapter(transport, createId),
  });
  registry.add('model_adapter', {
    name: 'responses',
    wire: 'responses',
    load: async (transport) => (await import('./adapter.ts')).createResponsesAdapter(transport, createId),
  });
}
