// Registers query rewrite: before notes are recalled, one small model call rewrites the question into several questions and a hypothetical answer.
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/tools/memory';
import type {} from 'agent-harness/plugins/agent';
import { createRewrites } from './rewrites.ts';

export const manifest = {
  name: 'query-rewrite',
  requires: ['models'],
  config: Type.Object({
    isOn: Type.Boolean({
      default: false,
      env: 'AGENT_QUERY_REWRITE',
      tab: 'memory_vault',
      title: 'Rewrite questions to the memory',
      description:
        'Before notes are recalled, a small model call makes up to three other questions and a passage that would answer them. It takes up to 4 s before the first word.',
      apply: 'live',
    }),
    isOnWhenExploring: Type.Boolean({
      default: false,
      env: 'AGENT_QUERY_REWRITE_EXPLORATORY',
      tab: 'memory_vault',
      title: 'Rewrite questions on exploratory turns',
      description: 'Does so also when a turn explores or invents. Without effect where questions are not rewritten at all.',
      apply: 'live',
    }),
  }),
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { config, services, signal, log } = registry;
  const rewrites = createRewrites({ models: services.models, signal, warn: (message) => log.warn(message) });
  emitter.tap('turn.before', (turn) => rewrites.begin(turn));
  emitter.tap('turn.after', (turn) => rewrites.end(turn));
  emitter.tap('recall.query', (queries, { chatId, isExploratory }) =>
    config.isOn && (config.isOnWhenExploring || !isExploratory) ? rewrites.widen(queries, chatId) : undefined,
  );
}
