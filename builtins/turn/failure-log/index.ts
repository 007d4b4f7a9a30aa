// Registers the failure log: appends one JSON line per failed tool call to a file in the home folder.
import { join } from 'node:path';
import { messageOf } from '#lib/errors';
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/models';
import type {} from 'agent-harness/plugins/storage';
import { failedCalls } from './failed-calls.ts';
import { watchFailures } from './watch-failures.ts';

const maxBytes = 5 * 1024 * 1024;

export const manifest = {
  name: 'failure-log',
  requires: ['product', 'storage', 'models'],
  config: Type.Object({
    isOn: Type.Boolean({
      default: true,
      env: 'AGENT_FAILURE_LOG',
      words: 'logs debug errors diagnose',
      tab: 'advanced',
      title: 'Failure log',
      description:
        'Appends each failed tool call to failures.jsonl in the home folder: time, chat, tool, a digest of the arguments and the first line of the error, without secrets.',
      apply: 'live',
    }),
  }),
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { models, product, storage } = registry.services;
  const path = join(product.home, 'failures.jsonl');
  const file = storage.createLineFile({
    path,
    fullPath: join(product.home, 'failures.1.jsonl'),
    maxBytes,
    onFault: (cause) => registry.log.warn(`failures.jsonl cannot be written: ${messageOf(cause)}`),
  });
  watchFailures(emitter, {
    file,
    isOn: () => registry.config.isOn,
    knownSecrets: () => [models.route().apiKey ?? ''].filter((value) => value !== ''),
  });
  registry.add(
    'support_part',
    failedCalls(path, storage, () => file.flush()),
  );
  registry.defer(() => file.flush(), 'failures.jsonl');
}
