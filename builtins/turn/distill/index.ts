// Registers distill: the fast model summarizes very long tool outputs, and the full text is stored as an artifact.
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/models';
import type {} from 'agent-harness/plugins/tools';
import { isWorthIt } from './worth-distilling.ts';

export const manifest = {
  name: 'distill',
  requires: ['models', 'artifacts'],
  config: Type.Object({
    isOn: Type.Boolean({
      default: false,
      env: 'AGENT_DISTILL',
      tab: 'memory_vault',
      apply: 'live',
      title: 'Summarize large tool output',
      description:
        'The fast model summarizes tool output of 16,000 characters and more, for at most 15 seconds; the full text is stored as an artifact. Files and artifacts that the model reads are not summarized.',
    }),
  }),
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services, signal, log } = registry;
  const { models, artifacts } = services;
  emitter.tap('tool.after', async (outcome, call) => {
    if (!registry.config.isOn || !isWorthIt(outcome, call)) return undefined;
    const { distill } = await import('./distill-output.ts');
    return distill(outcome, call, { models, artifacts, signal, log });
  });
}
