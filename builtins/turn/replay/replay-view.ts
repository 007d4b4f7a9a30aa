// Builds the view of a chat's recorded turns, and of a replayed one.
import { oneLine } from 'agent-harness/lib/text';
import type { View, ViewAnswer, ViewCall, ViewContext } from 'agent-harness/plugins/views';
import type { Replays } from './replays.ts';
import { replayedView } from './replayed-view.ts';

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
        rowActions: [{ id: 'replay', label: 'Replay' }],
      },
    ],
  };
}

export async function actInView(replays: Replays, { row }: ViewCall, { chatId }: ViewContext): Promise<ViewAnswer> {
  return replayedView(await replays.replay(chatId, row));
}
