// Wakes readers: those of this node, and by NATS those of the others.
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import { createLocalSignals } from './local-signals.ts';

export const manifest = {
  name: 'plane-signals',
  provides: ['signals'],
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  const local = createLocalSignals((fault, topic) => registry.log.error(`a listener of '${topic}' failed: ${String(fault)}`));
  registry.provide('signals', () => ({
    publish: (topic, payload) => local.publish(topic, payload),
    subscribe: (topic, listener) => local.subscribe(topic, listener),
    state: () => 'in-process',
    onRecovered: () => ({ dispose: () => undefined }),
  }));
}
