// The programs that this one starts: found again by their mark, and ended with it.
import { setImmediate as nextRound } from 'node:timers/promises';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/processes';
import type {} from 'agent-harness/plugins/storage';
import { createProcesses } from './processes.ts';

export const manifest = {
  name: 'processes',
  requires: ['product'],
  provides: ['processes'],
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const processes = createProcesses(registry.services.product);
  registry.provide('processes', () => processes);
  registry.defer(() => processes.endOwn(), 'what was started');
  // Not before the server listens: nobody waits for this.
  emitter.tap('server.start', () => void nextRound().then(processes.endAbandoned));
}
