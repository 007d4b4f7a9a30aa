// Shell: runs commands in their own process group, in front or in the background, and ends them with their owner.
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/policy';
import type {} from 'agent-harness/plugins/storage';
import { createRunningCommands } from './running-commands.ts';
import { shellFamily } from './family.ts';

export const manifest = {
  name: 'shell',
  requires: ['product'],
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { product } = registry.services;
  const running = createRunningCommands();
  registry.add('tool_family', shellFamily({ running, productName: product.name, signal: registry.signal }));
  registry.add('approval_rule', {
    name: 'harmless-commands',
    async decide({ tool, args, turn }) {
      if (tool.plugin !== 'shell') return undefined;
      const { ruleFor } = await import('./command-rule.ts');
      return ruleFor(tool.name, args, turn.workspaceRoot, product.home);
    },
  });
  emitter.tap('chat.close', (chatId) => running.endAll(chatId));
  emitter.tap('session.reset', ({ chatId }) => running.endAll(chatId));
  emitter.tap('server.stop', () => running.endAll());
  registry.defer(() => running.endAll(), 'commands');
}
