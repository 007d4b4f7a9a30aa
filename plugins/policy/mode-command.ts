// Implements `/mode`: shows or changes which calls of the chat need approval.
import type { ChatMode, Chats } from 'agent-harness/plugins/chats';
import type { SlashCommand } from 'agent-harness/plugins/commands';

const meanings: Readonly<Record<ChatMode, string>> = {
  ask: 'asks before actions that cannot be undone',
  careful: 'also asks before each file edit',
  plan: 'only reads until a plan is approved',
  auto: 'a judge model approves harmless calls',
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
