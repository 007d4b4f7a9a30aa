// Implements `/view` for all clients with slash commands: lists the views, shows one, and runs its actions.
import type { SlashAnswer, SlashCommand, SlashContext } from 'agent-harness/plugins/commands';
import type { View, ViewAsker, Views } from './contract.ts';
import { escapeMarkdown, partWords, readCall, viewMarkdown, viewText, wordsOf } from './view.ts';

const command = '/view';

export function createViewCommand(views: Views): SlashCommand {
  async function show(name: string, words: readonly string[], asker: ViewAsker): Promise<SlashAnswer> {
    const { parameters, call: called } = partWords(words);
    const view = await views.read(name, asker, parameters);
    if (called.length === 0) return answerOf(view);
    const call = readCall(view, called);
    if ('problem' in call) return call.problem;
    const { row, input } = call;
    const done = await views.act(name, { action: call.action.id, parameters, ...(row === undefined ? {} : { row }), ...(input ? { input } : {}) }, asker);
    const { file, message = '' } = done;
    return answerOf(done.view, file ? `${message} ${file.name} can be saved only in the page or on the command line.`.trim() : done.message);
  }

  return {
    name: 'view',
    summary: 'Shows a view of a plugin, or runs an action in it.',
    usage: '[name] [parameter=value …] [action] [row] [field=value …]',
    permission: 'server.read',
    // The view shows the current state, and is not part of the conversation.
    isImmediate: true,
    async run({ args, chatId, workspaceRoot, principal }: SlashContext) {
      const [name, ...words] = wordsOf(args);
      if (name === undefined) return listText(views.list(principal));
      return show(name, words, { chatId, workspaceRoot, ...(principal ? { principal } : {}) });
    },
  };
}

function listText(rows: ReturnType<Views['list']>): string {
  if (rows.length === 0) return 'No plugin contributes a view.';
  return rows.map(({ name, title, description }) => `- ${command} ${name}: ${description ?? title}`).join('\n');
}

/** Returns the reply of the command. The result of the action precedes the view. */
function answerOf(shown: View, message?: string): SlashAnswer {
  const view = message === undefined ? shown : { ...shown, blocks: [{ kind: 'text' as const, text: escapeMarkdown(message) }, ...shown.blocks] };
  const words = message === undefined ? '' : `${message}\n\n`;
  return { text: words + viewText(shown, { columns: 80, command }), kept: viewMarkdown(view, command), view };
}
