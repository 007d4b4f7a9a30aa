// A view in a tab beside each chat. It receives the id of that chat.

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  registry.add('view', {
    name: 'beside-chat',
    title: 'This chat',
    description: 'Where this chat works.',
    icon: 'folder',
    place: 'pane',
    permission: 'chats.read',
    changesOn: ['turn_end'],
    read: ({ chatId, workspaceRoot }) => ({
      blocks: [
        {
          kind: 'fields',
          fields: [
            { label: 'Chat', value: chatId === undefined ? 'none' : 'open' },
            { label: 'Folder', value: workspaceRoot?.split('/').at(-1) ?? null },
          ],
        },
      ],
    }),
  });
}
