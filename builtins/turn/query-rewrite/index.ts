// Registers query rewriting: before notes are recalled, a short model call rephrases the question and writes a hypothetical answer.
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
      title: 'Rephrase memory searches',
      description:
        'Before notes are recalled, a short model call generates up to three more questions and a hypothetical answer. It delays the first word by up to 4 s.',
      apply: 'live',
    }),
    isOnWhenExploring: Type.Boolean({
      default: false,
      env: 'AGENT_QUERY_REWRITE_EXPLORATORY',
      tab: 'memory_vault',
      title: 'Rephrase memory searches in exploratory turns',
      description: 'Also rephrases in exploratory and creative turns. Has no effect if “Rephrase memory searches” is off.',
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
