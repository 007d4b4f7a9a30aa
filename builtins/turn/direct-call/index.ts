// Registers direct calls: `/call` runs one tool for the user, with the usual checks and approvals, but without a model.
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/tools';
import { callTool } from './call-tool.ts';

export const manifest = {
  name: 'direct-call',
  requires: ['tools'],
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  registry.add('slash_command', {
    name: 'call',
    summary: 'Runs one tool without a model, with arguments as JSON.',
    usage: 'tool [arguments]',
    run: ({ chatId, args }) => callTool(registry.services.tools, chatId, args),
  });
}
