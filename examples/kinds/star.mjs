// Message badges in every client: /star adds one to the last answer and removes it when called again.

export const manifest = { name: 'star', requires: ['chats'] };

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry, emitter) {
  /** Message ids by chat id. */
  const starred = new Map();
  registry.add('entry_mark', { name: 'star', label: 'Starred', of: async (chatId) => starred.get(chatId) ?? new Set() });
  registry.add('slash_command', {
    name: 'star',
    summary: 'Stars the last answer.',
    async run({ chatId }) {
      const { entries } = await registry.services.chats.transcript(chatId);
      const last = entries.findLast(({ kind }) => kind === 'assistant');
      if (!last) return 'There is no answer yet.';
      const ids = starred.get(chatId) ?? new Set();
      starred.set(chatId, ids);
      if (!ids.delete(last.id)) ids.add(last.id);
      await emitter.call('entry.marked', [{ chatId, entryId: last.id }]);
      return '';
    },
  });
}
