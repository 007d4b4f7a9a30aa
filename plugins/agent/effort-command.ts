// Implements `/effort`: shows the reasoning effort of this chat, or changes it from the next message on.
import type { Chats } from 'agent-harness/plugins/chats';
import type { SlashCommand } from 'agent-harness/plugins/commands';
import type { ReasoningEffort } from 'agent-harness/plugins/models';

const efforts: readonly ReasoningEffort[] = ['off', 'low', 'medium', 'high', 'max'];
const resets = ['default', 'reset', 'none'];

/** Creates the command `/effort`. @param services `usual` returns the value of the setting; empty for the provider's default */
export function effortCommand(services: { readonly chats: Chats; usual(): ReasoningEffort | '' }): SlashCommand {
  const describeUsual = (): string => services.usual() || "the provider's default";

  function describe(effort: ReasoningEffort | undefined): string {
    return effort === undefined ? `Reasoning effort: ${describeUsual()}, as set in the settings.` : `Reasoning effort of this chat: ${effort}.`;
  }

  return {
    name: 'effort',
    permission: 'chats.manage',
    summary: 'Shows or changes the reasoning effort of this chat.',
    usage: '[off | low | medium | high | max | default]',
    async run({ chatId, args }) {
      const word = args.toLowerCase();
      const wanted = resets.includes(word) ? null : efforts.find((one) => one === word);
      if (wanted !== undefined) {
        const { effort } = await services.chats.change(chatId, { effort: wanted });
        return `${describe(effort)} It applies from the next message on.`;
      }
      const unknown = args === '' ? [] : [`Unknown reasoning effort '${args}'.`];
      const { effort } = await services.chats.get(chatId);
      return [...unknown, describe(effort), `Values: ${efforts.join(', ')}. /effort default restores the setting (${describeUsual()}).`].join('\n');
    },
  };
}
