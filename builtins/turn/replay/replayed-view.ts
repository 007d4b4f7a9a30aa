// Shows a replayed turn, and its difference to the recorded one, as a view.
import { oneLine } from 'agent-harness/lib/text';
import type { Block, View } from 'agent-harness/plugins/views';
import type { Difference, Replayed } from './played-types.ts';

const longest = 300;
/** Characters shown before a difference; a terminal shows about fifty of each line. */
const lead = 20;

export function replayedView({ turnId, events, others, difference }: Replayed): View {
  const rest = others > 0 ? ` ${others} more events of the turn are of others than its loop, and are not compared.` : '';
  const text = difference ? `The turn goes differently: ${placeOf(difference)}.` : `Byte-equal, ${events.length} events.${rest}`;
  return {
    title: 'Replay',
    blocks: [{ kind: 'text', text }, { kind: 'fields', fields: [{ label: 'Turn', value: turnId }] }, ...(difference ? [differenceTable(difference)] : [])],
  };
}

function placeOf({ at, recorded, replayed }: Difference): string {
  if (recorded === undefined) return `event ${at + 1} is one more than was recorded`;
  return replayed === undefined ? `it ends before event ${at + 1}` : `event ${at + 1} is another one`;
}

function differenceTable({ recorded = '', replayed = '' }: Difference): Block {
  const [before, now] = fromDifference(recorded, replayed);
  return {
    kind: 'fields',
    title: 'The first difference',
    fields: [
      { label: 'Recorded', value: before },
      { label: 'Replayed', value: now },
    ],
  };
}

/** Each on one line, from shortly before the first differing character. */
function fromDifference(one: string, other: string): readonly [string, string] {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  const from = Math.max(0, same - lead);
  const cut = (text: string): string => oneLine(`${from > 0 ? '…' : ''}${text.slice(from)}`, longest);
  return [cut(one), cut(other)];
}
