// Implements `/mode`: shows or changes when the chat asks for approval.
import type { ChatMode, Chats } from 'agent-harness/plugins/chats';
import type { SlashCommand } from 'agent-harness/plugins/commands';

const meanings: Readonly<Record<ChatMode, string>> = {
  ask: 'what cannot be taken back asks; the rest goes ahead',
  careful: 'each edit of a file asks, too',
  plan: 'nothing runs but what only reads, until a plan is approved',
  auto: 'the judge decides; what it does not call harmless asks',
};

export function modeCommand(services: { readonly chats: Chats }): SlashCommand {
  return {
    name: 'mode',
    permission: 'chats.manage',
    summary: 'Shows or changes how often this chat asks for approval.',
    usage: '[ask | careful | plan | auto]',
    async run({ chatId, args }) {
      const modes = Object.keys(meanings) as ChatMode[];
      const wanted = modes.find((mode) => mode === args.toLowerCase());
      if (wanted !== undefined) {
        await services.chats.change(chatId, { mode: wanted });
        return `Mode ${wanted}: ${meanings[wanted]}.`;
      }
      const { mode } = await services.chats.get(chatId);
      const unknown = args === '' ? [] : [`There is no mode '${args}'.`];
      return [...unknown, ...modes.map((one) => `${one}: ${meanings[one]}${one === mode ? ' (now)' : ''}`)].join('\n');
    },
  };
}
