// Registers the view of turn costs: the newest turn of a chat by purpose, plugin and message.
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/models';
import type {} from 'agent-harness/plugins/views';

export const manifest = { name: 'turn-costs', requires: ['eventLog', 'models'] } as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  registry.add('view', {
    name: 'costs',
    title: /* t */ 'Turns',
    tabOf: 'usage',
    description: 'Cost of the newest turn by purpose, plugin and message.',
    icon: 'chart',
    permission: 'usage.read',
    changesOn: ['usage', 'turn_end'],
    read: async (context) => (await import('./cost-view.ts')).costView(context.chatId, registry.services),
  });
}
