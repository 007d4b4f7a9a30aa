// The programs that this one starts: found again by their mark, and ended with it.
import { setTimeout as delay } from 'node:timers/promises';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/processes';
import type {} from 'agent-harness/plugins/storage';
import { createProcesses } from './processes.ts';

/** Milliseconds in which a server that starts answers its first requests. */
const startMs = 200;

export const manifest = {
  name: 'processes',
  requires: ['product'],
  provides: ['processes'],
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const processes = createProcesses(registry.services.product);
  registry.provide('processes', () => processes);
  registry.defer(() => processes.endOwn(), 'what was started');
  // Whoever started the server waits for it, and nobody for this: it reads of every process of the machine.
  const closing = new AbortController();
  registry.defer(() => closing.abort(), 'looking for what was left behind');
  emitter.tap('app.start', () => void delay(startMs, undefined, { signal: closing.signal }).then(processes.endAbandoned, () => undefined));
}
