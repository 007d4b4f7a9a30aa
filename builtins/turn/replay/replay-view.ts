// Builds the view of a chat's recorded turns, and the view of a replayed turn.
import { oneLine } from '#lib/text';
import type { Block, View, ViewAnswer, ViewCall, ViewContext } from 'agent-harness/plugins/views';
import type { Difference, Replayed } from './contract.ts';
import type { Replays } from './replays.ts';

const longest = 300;
/** Number of characters shown before a difference; a terminal shows about fifty of each line. */
const lead = 20;

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
              text: turn === '' ? 'No turn of this chat is recorded yet.' : 'This turn was not recorded, or its record was replaced by newer ones.',
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

export function replayedView({ turnId, events, others, difference }: Replayed): View {
  const more =
    others === 1 ? '1 more event of the turn does not come from its loop and is' : `${others} more events of the turn do not come from its loop and are`;
  const rest = others > 0 ? ` ${more} not compared.` : '';
  const text = difference ? `The replay differs from the recorded turn: ${placeOf(difference)}.` : `The replay is identical, ${events.length} events.${rest}`;
  return {
    title: 'Replay',
    blocks: [{ kind: 'text', text }, { kind: 'fields', fields: [{ label: 'Turn', value: turnId }] }, ...(difference ? [differenceTable(difference)] : [])],
  };
}

function placeOf({ at, recorded, replayed }: Difference): string {
  if (recorded === undefined) return `it has an additional event ${at + 1}`;
  return replayed === undefined ? `it ends before event ${at + 1}` : `event ${at + 1} is different`;
}

function differenceTable({ recorded = '', replayed = '' }: Difference): Block {
  const [before, now] = fromDifference(recorded, replayed);
  return {
    kind: 'fields',
    title: 'First difference',
    fields: [
      { label: 'Recorded', value: before },
      { label: 'Replayed', value: now },
    ],
  };
}

/** Returns both texts, each on one line, starting shortly before the first different character. */
function fromDifference(one: string, other: string): readonly [string, string] {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  const from = Math.max(0, same - lead);
  const cut = (text: string): string => oneLine(`${from > 0 ? '…' : ''}${text.slice(from)}`, longest);
  return [cut(one), cut(other)];
}
