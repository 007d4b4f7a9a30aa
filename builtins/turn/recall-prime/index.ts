// Registers recall prime: adds a short list of relevant notes before the first round, and every few rounds if configured.
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
      title: 'Rounds between reminders of notes',
      description: 'After so many rounds of a turn the notes that matter are looked up and shown to the model again. 0: only before the first round.',
      apply: 'live',
    }),
    isStrict: Type.Boolean({
      default: false,
      env: 'AGENT_MEMORY_INTROSPECTION_STRICT',
      tab: 'memory_vault',
      title: 'Fewer notes on introspection',
      description:
        'In the middle of a turn that asks about the agent itself or its memory, only the few notes that fit best are shown, and no recipes or trajectories.',
      apply: 'live',
    }),
    isOnWhenExploring: Type.Boolean({
      default: false,
      env: 'AGENT_MEMORY_EXPLORATORY_AUTO_RECALL',
      tab: 'memory_vault',
      title: 'Notes on exploratory turns',
      description: 'Shows a small list of notes, no recipes or trajectories, also when a turn explores or invents. Off: such turns begin without notes.',
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
