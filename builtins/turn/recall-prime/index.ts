// Registers recall priming: adds a short list of relevant notes before the first round and, if configured, every few rounds.
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/tools/memory';
import type {} from 'agent-harness/plugins/agent';
import { createPrime } from './prime.ts';

export const manifest = {
  name: 'recall-prime',
  requires: ['notes'],
  config: Type.Object({
    everyRounds: Type.Integer({
      default: 0,
      minimum: 0,
      maximum: 1_000,
      env: 'AGENT_RECALL_EVERY_N',
      tab: 'memory_vault',
      title: 'Rounds between note reminders',
      description: 'Number of rounds after which relevant notes are looked up again and added for the model. 0: only before the first round.',
      apply: 'live',
    }),
    isStrict: Type.Boolean({
      default: false,
      env: 'AGENT_MEMORY_INTROSPECTION_STRICT',
      tab: 'memory_vault',
      title: 'Fewer notes for introspection',
      description: 'In a turn about the agent itself or its memory, later reminders contain only the few best-matching notes, and no recipes or trajectories.',
      apply: 'live',
    }),
    isOnWhenExploring: Type.Boolean({
      default: false,
      env: 'AGENT_MEMORY_EXPLORATORY_AUTO_RECALL',
      tab: 'memory_vault',
      title: 'Notes in exploratory turns',
      description: 'Adds a short list of notes, without recipes and trajectories, in exploratory and creative turns. Off: such turns start without notes.',
      apply: 'live',
    }),
  }),
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const prime = createPrime({
    config: registry.config,
    notes: registry.services.notes,
    widen: (query, place) => emitter.call('recall.query', [[query], place]),
    warn: (message) => registry.log.warn(message),
  });
  emitter.tap('prompt.build', (prompt, turn) => prime(prompt, turn));
}
