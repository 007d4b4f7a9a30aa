// Implements `/model`: shows the current model of this chat, lists all models, or selects another one from the next message on.
import type { Chats } from 'agent-harness/plugins/chats';
import type { SlashCommand } from 'agent-harness/plugins/commands';
import type { Models } from 'agent-harness/plugins/models';

const shownModels = 30;
const resets = ['default', 'reset', 'none'];

export function modelCommand(services: { readonly chats: Chats; readonly models: Models }): SlashCommand {
  const { chats, models } = services;

  async function list(chatId: string, like: string): Promise<string> {
    const { model } = await chats.get(chatId);
    const { models: known, current, reason } = await models.list();
    const answers =
      model === undefined ? `Current model: ${current} (from the settings).` : `Current model: ${model} (set for this chat; the settings select ${current}).`;
    const found = known.filter(({ id, name = '' }) => `${id} ${name}`.toLowerCase().includes(like.toLowerCase()));
    if (known.length === 0) return `${answers}\n${reason ?? 'The provider lists no models.'}\nChoose a model by name: /model <name>`;
    const rows = found.slice(0, shownModels).map(({ id, contextLength }) => (contextLength === undefined ? id : `${id} (${contextLength} tokens)`));
    const more = found.length > shownModels ? [`… and ${found.length - shownModels} more. Find them with /model ? <part of a name>.`] : [];
    return [answers, ...rows, ...more, 'Choose a model by name: /model <name>. /model default restores the model from the settings.'].join('\n');
  }

  return {
    name: 'model',
    permission: 'chats.manage',
    summary: 'Shows the models, or changes the model of this chat.',
    usage: '[<name> | default | ? <part of a name>]',
    async run({ chatId, args }) {
      if (args === '' || args.startsWith('?')) return list(chatId, args.slice(1).trim());
      const wanted = resets.includes(args.toLowerCase()) ? null : args;
      const { model } = await chats.change(chatId, { model: wanted });
      if (model === undefined) return `This chat uses ${models.route().model}, as set in the settings, from the next message on.`;
      const { models: known } = await models.list();
      const isKnown = known.length === 0 || known.some(({ id }) => id === model);
      return `This chat uses ${model} from the next message on.${isKnown ? '' : ' The provider does not list a model of that name.'}`;
    },
  };
}
