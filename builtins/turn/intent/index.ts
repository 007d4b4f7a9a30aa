// Registers intent: adds short sections about working methods to the system prompt; a setting limits them to the relevant ones.
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type { Prompt } from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/tools';
import { protocols, type Intent } from './protocols.ts';

export const manifest = {
  name: 'intent',
  requires: ['tools'],
  config: Type.Object({
    hint: Type.Union([Type.Literal('any'), Type.Literal('coding'), Type.Literal('knowledge'), Type.Literal('execution'), Type.Literal('introspection')], {
      default: 'any',
      env: 'AGENT_PROTOCOL_INTENT_HINT',
      tab: 'advanced',
      apply: 'live',
      title: 'Purpose of the agent',
      description:
        'Removes irrelevant sections from the prompt. any: keeps all sections. coding: editing and commands. knowledge: memory, notes and the web. execution: commands. introspection: memory and self-review.',
    }),
  }),
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { tools } = registry.services;
  emitter.tap('prompt.build', (prompt) => addProtocols(prompt, registry.config.hint, (name) => tools.find(name) !== undefined));
}

/** Adds the sections. Equal tools and hints yield the same text, so that the provider's prompt cache is used. */
function addProtocols(prompt: Prompt, hint: Intent | 'any', hasTool: (name: string) => boolean): Prompt | undefined {
  const wanted = protocols.filter((protocol) => (hint === 'any' || protocol.intents.includes(hint)) && protocol.tools.some(hasTool));
  if (wanted.length === 0) return undefined;
  const from = hint === 'any' ? {} : { from: [{ kind: 'setting' as const, ref: 'AGENT_PROTOCOL_INTENT_HINT', why: `it says ${hint}` }] };
  return { ...prompt, system: [...prompt.system, ...wanted.map(({ id, text }) => ({ id: `protocol_${id}`, text, ...from }))] };
}
