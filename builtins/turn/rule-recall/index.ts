// Registers rule recall: adds, in the second round of a turn, a short reminder of the rules relevant to the first round.
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/agent';
import { noteUse, remindOf } from './rule-recall.ts';

export const manifest = {
  name: 'rule-recall',
  config: Type.Object({
    isOn: Type.Boolean({
      default: true,
      env: 'AGENT_RULE_RECALL',
      tab: 'memory_vault',
      title: 'Rule reminder',
      description:
        'Adds a short system message to the second round of a turn that names the rules for what the first round did: edits, commands, text from outside.',
      apply: 'live',
    }),
  }),
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  emitter.tap('tool.after', (outcome, call) => noteUse(outcome, call));
  emitter.tap('prompt.build', (prompt, turn) => (registry.config.isOn ? remindOf(prompt, turn) : undefined));
}
