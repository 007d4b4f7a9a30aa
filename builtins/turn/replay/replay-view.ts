// The recorded turns of a chat as a view: run one again, or with something changed.
import { oneLine } from 'agent-harness/lib/text';
import type { View, ViewAnswer, ViewCall, ViewContext } from 'agent-harness/plugins/views';
import type { Replays } from './replays.ts';
import type { Change } from './what-if.ts';
import { replayedView, whatIfView } from './side-by-side.ts';

const text = (title: string, description: string) => ({ type: 'string', title, description, maxLength: 20_000 }) as const;

export async function readView(replays: Replays, { chatId, parameters: { turn = '' } }: ViewContext): Promise<View> {
  const recorded = (await replays.list(chatId)).rows;
  const rows = turn === '' ? recorded : recorded.filter(({ turnId }) => turnId === turn);
  return {
    title: 'Replay',
    blocks: [
      ...(rows.length === 0
        ? [
            {
              kind: 'text' as const,
              text: turn === '' ? 'No turn of this chat was recorded yet.' : 'This turn was not recorded, or its record made room for newer ones.',
            },
          ]
        : []),
      {
        kind: 'table',
        title: 'Recorded turns',
        columns: [{ title: 'Message' }, { title: 'Sent', kind: 'time' }, { title: 'kB', kind: 'number' }],
        rows: rows.map(({ turnId, bytes, text: said, at }) => ({
          id: turnId,
          cells: [oneLine(said, 120), at === '' ? null : at, Math.ceil(bytes / 1000)],
        })),
        rowActions: [
          { id: 'replay', label: 'Replay' },
          {
            id: 'what-if',
            label: 'What if …',
            input: {
              type: 'object',
              properties: {
                prompt: { ...text('Message', 'What the user says instead.'), format: 'multiline' },
                model: text('Model', 'Another model.'),
                system: { ...text('System prompt', 'Another system prompt.'), format: 'multiline' },
                call: text('Call', 'The id or the tool of a call that has another result.'),
                result: { ...text('Result', 'What that call answers.'), format: 'multiline' },
                setting: text('Setting', 'Another setting: NAME=VALUE, such as AGENT_MAX_ROUNDS=3.'),
                plugin: text('Plugin', 'Another version of a plugin: the path of its file or folder on the machine of the server, or NAME=PATH.'),
                without: text('Without', 'The name of a plugin that is left out.'),
                ask: { type: 'boolean', title: 'Ask the model', description: 'What the record cannot answer, the model is asked; that costs.', default: false },
              },
            },
          },
        ],
      },
    ],
  };
}

export async function actInView(replays: Replays, { action, row, input }: ViewCall, { chatId, principal }: ViewContext): Promise<ViewAnswer> {
  if (action === 'replay') return replayedView(await replays.replay(chatId, row));
  const { prompt, model, system, call, result = '', setting, plugin, without, ask } = input;
  const [name = '', ...value] = String(setting ?? '').split('=');
  const change: Change = {
    ...(prompt ? { prompt: String(prompt) } : {}),
    ...(model ? { model: String(model) } : {}),
    ...(system ? { system: String(system) } : {}),
    ...(call ? { tools: { [String(call)]: String(result) } } : {}),
    ...(setting ? { settings: { [name]: value.join('=') } } : {}),
    ...(plugin ? { plugins: [String(plugin)] } : {}),
    ...(without ? { without: [String(without)] } : {}),
    asksModel: ask === true,
  };
  return whatIfView(await replays.whatIf(change, chatId, row, principal));
}
