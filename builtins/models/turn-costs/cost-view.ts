// Builds the view of turn costs: the parts of the newest turn of a chat.
import type { Services } from 'agent-harness/kernel';
import type { Block, View } from 'agent-harness/plugins/views';
import { messagesOf, partOf, partsOf, type Part } from './turn-parts.ts';

const shownRows = 100;
const number = (title: string) => ({ title, kind: 'number' }) as const;

/** Returns the costs of the newest turn of the chat that called a model, which may still be running. */
export async function costView(chatId: string | undefined, { eventLog, models }: Pick<Services, 'eventLog' | 'models'>): Promise<View> {
  const title = 'Turn costs';
  const ofChat = chatId === undefined ? [] : await models.usage({ chatId });
  const turnId = ofChat.findLast((row) => row.turnId !== undefined)?.turnId;
  if (chatId === undefined || turnId === undefined) return { title, blocks: [{ kind: 'text', text: 'No turn of this chat has called a model yet.' }] };
  const rows = ofChat.filter((row) => row.turnId === turnId);
  const { byPurpose, byPlugin, byMessage } = partsOf(rows, await messagesOf(turnId, eventLog.read(chatId)));
  const { calls, input, output, cost } = partOf('', rows);
  return {
    title,
    blocks: [
      {
        kind: 'fields',
        title: 'Newest turn',
        fields: [
          { label: 'Cost', value: cost > 0 ? cost : null, kind: 'money' },
          { label: 'Tokens', value: input + output, kind: 'number' },
          { label: 'Calls', value: calls, kind: 'number' },
        ],
      },
      table('By purpose', 'Purpose', byPurpose),
      table('By plugin', 'Plugin', byPlugin),
      table('By message of the model', 'Message', byMessage),
    ],
  };
}

function table(title: string, first: string, parts: readonly Part[]): Block {
  return {
    kind: 'table',
    title,
    columns: [{ title: first }, number('Calls'), number('In'), number('Cached tokens in'), number('Out'), { title: 'Cost', kind: 'money' }],
    rows: parts
      .slice(-shownRows)
      .map(({ name, calls, input, cached, output, cost }) => ({ cells: [name, calls, input, cached, output, cost > 0 ? cost : null] })),
  };
}
