// A custom event that every client shows as a line in the chat.

export const manifest = { name: 'chat-note', events: ['bell_rung'] };

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry, emitter) {
  registry.add('wire_event', {
    name: 'bell_rung',
    description: 'Somebody rang the bell.',
    permission: 'chats.read',
    schema: { type: 'object', properties: { chatId: { type: 'string' }, times: { type: 'integer' } }, required: ['chatId', 'times'] },
    shows: ({ times }) => ({ text: `The bell rang ${times} times.`, isOutsideTurn: true }),
  });
  registry.add('slash_command', {
    name: 'bell',
    summary: 'Rings the bell.',
    run({ chatId }) {
      emitter.emit('bell_rung', { chatId, times: 8 });
      return '';
    },
  });
}
