// Bookmarks in a chat: `/mark an idea` adds a line to the conversation, and a panel lists the marks of a chat.

export const manifest = { name: 'marks', requires: ['chats'], events: ['mark_set'] };

const moduleOf = (file) => new URL(`./marks/${file}`, import.meta.url).href;

/** @type {import('agent-harness/kernel').PluginModule['register']} */
export function register(registry, emitter) {
  registry.add('wire_event', {
    name: 'mark_set',
    description: 'A person marked a place in a chat.',
    permission: 'chats.read',
    schema: { type: 'object', required: ['chatId', 'text'], properties: { chatId: { type: 'string' }, text: { type: 'string' } } },
    // All clients show the sentence. The panel below uses the data.
    shows: ({ text }) => ({ text: `Mark: ${text}`, data: { text }, isOutsideTurn: true }),
  });
  registry.add('slash_command', {
    name: 'mark',
    summary: 'Marks this place in the chat.',
    usage: '<text>',
    run({ chatId, args }) {
      if (args === '') return 'Say what the mark is called.';
      emitter.emit('mark_set', { chatId, text: args });
      return '';
    },
  });
  registry.add('ui.panel', { id: 'mark', title: 'Mark', slot: 'note', events: ['mark_set'], module: moduleOf('mark-line.js') });
  registry.add('ui.panel', {
    id: 'marks',
    title: 'Marks',
    slot: 'panel',
    icon: '★',
    place: 'chat',
    module: moduleOf('marks-page.js'),
    uses: { routes: ['GET /api/chats/:id/transcript'], events: ['mark_set'] },
  });
  registry.add('ui.panel', { id: 'first-mark', title: 'The first mark', slot: 'first-run', module: moduleOf('first-mark.js') });
}
