// Intent: short sections of the system prompt about ways of working; a hint drops those that do not matter.
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/tools';
import { addProtocols } from './add-protocols.ts';

export const manifest = {
  name: 'intent',
  requires: ['tools'],
  config: Type.Object({
    hint: Type.Union([Type.Literal('any'), Type.Literal('coding'), Type.Literal('knowledge'), Type.Literal('execution'), Type.Literal('introspection')], {
      default: 'any',
      env: 'AGENT_PROTOCOL_INTENT_HINT',
      tab: 'advanced',
      apply: 'live',
      title: 'What the agent is used for',
      description:
        'Leaves out the parts of the prompt that do not matter. any: all parts. coding: editing and commands. knowledge: memory, notes and the web. execution: commands. introspection: memory and looking back at its own work.',
    }),
  }),
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { tools } = registry.services;
  emitter.tap('prompt.build', (prompt) => addProtocols(prompt, registry.config.hint, (name) => tools.find(name) !== undefined));
}
