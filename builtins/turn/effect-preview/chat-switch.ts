// Decides whether commands of a chat are previewed before an approval, based on the setting or on the chat's own switch.
import type { SlashCommand } from 'agent-harness/plugins/commands';

export interface ChatSwitch {
  isOn(chatId: string): boolean;
  forget(chatId: string): void;
  readonly command: SlashCommand;
}

/** @param setting returns the current value of the setting */
export function createChatSwitch(setting: () => boolean): ChatSwitch {
  const said = new Map<string, boolean>();
  const isOn = (chatId: string): boolean => said.get(chatId) ?? setting();

  return {
    isOn,
    forget: (chatId) => void said.delete(chatId),
    command: {
      name: 'preview',
      permission: 'chats.manage',
      summary: 'Shows whether commands of this chat run in a copy before an approval, to preview their changes; `on` and `off` change it for this chat.',
      usage: '[on|off]',
      run({ chatId, args }) {
        const word = args.trim().toLowerCase();
        if (word !== '' && word !== 'on' && word !== 'off') return 'Unknown arguments. Usage: /preview, /preview on, /preview off.';
        if (word !== '') said.set(chatId, word === 'on');
        return isOn(chatId)
          ? 'On: an approval of a command shows its changes in a copy of the workspace, and approving applies exactly these changes.'
          : 'Off: an approval of a command shows only the command, and approving runs it.';
      },
    },
  };
}
