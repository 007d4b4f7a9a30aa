// Registers elision: when the context fills up, replaces large tool bodies of older rounds by pointers to artifacts in requests.
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
      title: 'Swap stale tool bodies for pointers',
      description:
        'When the context fills up, big outputs and big arguments of older tool calls are kept as artifacts; the model gets a pointer with their first and last lines.',
    }),
    minChars: Type.Integer({
      default: 12_000,
      minimum: 2_000,
      maximum: 1_000_000,
      env: 'AGENT_TOOL_ELIDE_MIN_CHARS',
      tab: 'memory_vault',
      apply: 'live',
      title: 'Size of a body that is swapped',
      description: 'Bodies of at least so many characters are swapped for pointers.',
    }),
    keepRounds: Type.Integer({
      default: 3,
      minimum: 1,
      maximum: 100,
      env: 'AGENT_TOOL_ELIDE_KEEP_ROUNDS',
      tab: 'memory_vault',
      apply: 'live',
      title: 'Rounds that are never swapped',
      description: 'The newest rounds keep their bodies, whatever their size.',
    }),
  }),
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const elide = createElision(registry.services.artifacts, registry.config, registry.log);
  emitter.tap('context.shorten', (messages, { chatId }) => (registry.config.isOn ? elide(messages, chatId) : undefined));
}
