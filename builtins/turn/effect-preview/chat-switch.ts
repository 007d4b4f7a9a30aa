// Decides whether commands of a chat are previewed before approval: by the setting, or by the chat's override.
import type { SlashCommand } from 'agent-harness/plugins/commands';

export interface ChatSwitch {
  isOn(chatId: string): boolean;
  forget(chatId: string): void;
  readonly command: SlashCommand;
}

/** @param setting returns the current value */
export function createChatSwitch(setting: () => boolean): ChatSwitch {
  const said = new Map<string, boolean>();
  const isOn = (chatId: string): boolean => said.get(chatId) ?? setting();

  return {
    isOn,
    forget: (chatId) => void said.delete(chatId),
    command: {
      name: 'preview',
      permission: 'chats.manage',
      summary: 'Says whether commands of this chat first run in a copy, so that a question shows what they would change; `on` and `off` change it here.',
      usage: '[on|off]',
      run({ chatId, args }) {
        const word = args.trim().toLowerCase();
        if (word !== '' && word !== 'on' && word !== 'off') return 'Write /preview on, /preview off, or /preview alone.';
        if (word !== '') said.set(chatId, word === 'on');
        return isOn(chatId)
          ? 'On: a question about a command shows what the command changed in a copy of the workspace, and a yes applies exactly that.'
          : 'Off: a question about a command shows the command alone, and a yes runs it.';
      },
    },
  };
}
