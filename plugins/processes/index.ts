// Registers child process tracking, and terminates all child processes when the server ends.
import { setTimeout as delay } from 'node:timers/promises';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/processes';
import type {} from 'agent-harness/plugins/storage';
import { createProcesses } from './processes.ts';

/** Delay of the clean-up in milliseconds, during which a starting server handles its first requests. */
const startMs = 200;

export const manifest = {
  name: 'processes',
  requires: ['product'],
  provides: ['processes'],
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const processes = createProcesses(registry.services.product);
  registry.provide('processes', () => processes);
  registry.defer(() => processes.endOwn(), 'child processes');
  // Delayed, because the clean-up reads data of all processes of the machine.
  const closing = new AbortController();
  registry.defer(() => closing.abort(), 'search for processes of killed servers');
  emitter.tap('app.start', () => void delay(startMs, undefined, { signal: closing.signal }).then(processes.endAbandoned, () => undefined));
}
