// Registers elision: when the context window fills up, large tool outputs and arguments of older rounds are replaced in requests with references to artifacts.
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/turn/compression';
import type {} from 'agent-harness/plugins/tools';
import { createElision } from './elide-messages.ts';

export const manifest = {
  name: 'elision',
  requires: ['artifacts'],
  config: Type.Object({
    isOn: Type.Boolean({
      default: true,
      env: 'AGENT_TOOL_BODY_ELIDE',
      tab: 'memory_vault',
      apply: 'live',
      title: 'Replace old tool output with references',
      description:
        'When the context fills up, large outputs and arguments of older tool calls are stored as artifacts; the model gets a reference with their first and last lines.',
    }),
    minChars: Type.Integer({
      default: 12_000,
      minimum: 2_000,
      maximum: 1_000_000,
      env: 'AGENT_TOOL_ELIDE_MIN_CHARS',
      tab: 'memory_vault',
      apply: 'live',
      title: 'Minimum size to replace (characters)',
      description: 'Minimum length of outputs and arguments that are replaced with references.',
    }),
    keepRounds: Type.Integer({
      default: 3,
      minimum: 1,
      maximum: 100,
      env: 'AGENT_TOOL_ELIDE_KEEP_ROUNDS',
      tab: 'memory_vault',
      apply: 'live',
      title: 'Newest rounds to keep in full',
      description: 'Number of newest rounds whose outputs and arguments are never replaced.',
    }),
  }),
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const elide = createElision(registry.services.artifacts, registry.config, registry.log);
  emitter.tap('context.shorten', (messages, { chatId }) => (registry.config.isOn ? elide(messages, chatId) : undefined));
}
