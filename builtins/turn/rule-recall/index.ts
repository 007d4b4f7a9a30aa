// Registers rule recall: in the second round of a turn, adds a short reminder of the rules that are relevant to the first round.
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
        'Adds a short system message to the second round of a turn with the rules for the actions of the first round: edits, commands, external content.',
      apply: 'live',
    }),
  }),
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  emitter.tap('tool.after', (outcome, call) => noteUse(outcome, call));
  emitter.tap('prompt.build', (prompt, turn) => (registry.config.isOn ? remindOf(prompt, turn) : undefined));
}
