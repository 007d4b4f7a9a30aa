// Registers the evidence gates: an automatic note needs quoted words that occur in a chat and come from a trusted author.
import { lazy } from '#lib/async';
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/tools/memory';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/tools';

export const manifest = {
  name: 'evidence-gates',
  requires: ['notes', 'chats', 'eventLog', 'tools'],
  provides: ['evidenceGates'],
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  const { services } = registry;
  const gates = lazy(() => import('./open-gates.ts').then(({ openGates }) => openGates(services)));
  registry.provide('evidenceGates', () => ({
    entries: async (chatId) => (await gates()).entries(chatId),
    judge: async (proposals, question) => (await gates()).judge(proposals, question),
    keep: async (proposals, question) => (await gates()).keep(proposals, question),
  }));
}
