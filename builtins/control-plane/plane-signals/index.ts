// Registers signals: publish/subscribe messaging within this node, and between the nodes of a control plane through NATS.
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import { messageOf } from '#lib/errors';
import { sha256 } from '#lib/hash';
import type {} from 'agent-harness/builtins/control-plane/plane-database';
import type {} from 'agent-harness/builtins/control-plane/plane-keys';
import type {} from 'agent-harness/builtins/control-plane/plane-serve';
import { createSingleNode } from './single-node.ts';
import { createNatsSignals, maxBytes } from './nats-signals.ts';

export const manifest = {
  name: 'plane-signals',
  requires: ['database', 'planeKeys'],
  provides: ['signals'],
  config: Type.Object({
    natsUrl: Type.String({
      default: '',
      env: 'NATS_URL',
      secret: true,
      title: 'NATS',
      description:
        'Comma-separated addresses of NATS servers that connect the nodes, such as `nats://user:password@host:4222`. If empty, the control plane has one node.',
      apply: 'restart',
    }),
  }),
  errors: { TOO_LARGE: { message: 'A signal is {bytes} bytes long; at most {limit} are allowed.' } },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { config, log, services } = registry;
  const onFault = (fault: unknown, topic: string): void => log.error(`a listener of '${topic}' failed: ${messageOf(fault)}`);
  if (config.natsUrl === '') {
    const single = createSingleNode({ database: services.database, onFault });
    registry.provide('signals', () => single.signals);
    emitter.tap('app.start', () => single.serve());
    registry.defer(() => single.dispose(), 'signals of commands');
    return;
  }
  const signals = createNatsSignals({
    servers: config.natsUrl,
    // The prefix is derived from the key in the database, so that only nodes of the same control plane exchange signals.
    prefix: async () => `plane.${sha256(await services.planeKeys.publicKey()).slice(0, 16)}`,
    onFault,
    onState: (message) => log.info(message),
    tooLarge: (bytes) => registry.error('TOO_LARGE', { bytes, limit: maxBytes }),
  });
  registry.provide('signals', () => signals);
  emitter.tap('app.start', () => signals.connect());
  registry.defer(() => signals.dispose(), 'NATS');
  registry.add('plane_metric', {
    name: 'plane_signals_connected',
    help: 'Whether NATS is connected.',
    type: 'gauge',
    read: () => (signals.state() === 'connected' ? 1 : 0),
  });
  registry.add('plane_metric', {
    name: 'plane_signals_total',
    help: 'Signals to and from other nodes.',
    type: 'counter',
    read: () => Object.entries(signals.counts).map(([direction, value]) => ({ labels: { direction }, value })),
  });
}
