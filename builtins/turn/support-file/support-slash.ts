// Implements `/support`: shows the bundle of a turn in any client; it is saved from the page or by the command line.
import type { SlashAnswer } from 'agent-harness/plugins/commands';
import type { ViewAsker, Views } from 'agent-harness/plugins/views';
import { viewText } from 'agent-harness/view';

export async function runSlash(views: Views, args: string, { chatId, workspaceRoot, principal }: ViewAsker): Promise<SlashAnswer> {
  const asker = { ...(chatId === undefined ? {} : { chatId }), ...(workspaceRoot === undefined ? {} : { workspaceRoot }), ...(principal ? { principal } : {}) };
  const view = await views.read('support', asker, args === '' ? {} : { turn: args });
  // None of it may be stored in the conversation.
  return { text: viewText(view, { columns: 80, command: '/view' }), kept: 'A support file was looked at.', view };
}
