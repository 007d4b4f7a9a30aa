// Registers the evaluation log: appends one JSON line per turn to a file in the home folder, for comparing models and settings.
import { join } from 'node:path';
import { messageOf } from '#lib/errors';
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/storage';
import { watchTurns } from './watch-turns.ts';

const maxBytes = 5 * 1024 * 1024;

export const manifest = {
  name: 'eval-sink',
  requires: ['product', 'storage'],
  config: Type.Object({
    isOn: Type.Boolean({
      default: false,
      env: 'AGENT_EVAL_JSON_SINK',
      words: 'logs statistics metrics telemetry',
      tab: 'advanced',
      title: 'Evaluation log',
      description: 'Appends one JSON line per turn to eval.jsonl in the home folder: model, end reason, duration, tools, usage and scores, but no chat text.',
      apply: 'live',
    }),
  }),
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { product, storage } = registry.services;
  const file = storage.createLineFile({
    path: join(product.home, 'eval.jsonl'),
    fullPath: join(product.home, 'eval.1.jsonl'),
    maxBytes,
    onFault: (cause) => registry.log.warn(`eval.jsonl cannot be written: ${messageOf(cause)}`),
  });
  watchTurns(emitter, file, () => registry.config.isOn);
  registry.defer(() => file.flush(), 'eval.jsonl');
}
