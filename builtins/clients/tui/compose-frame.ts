// Distributes the rows of the screen: the composer first, then overlays, plugin panels, the live conversation and queued messages.
import type { TranscriptRows } from './rows/transcript-rows.ts';
import type { Frame } from './screen/frame.ts';
import type { Row } from './screen/spans.ts';

/** Each function returns at most `most` rows. */
export interface FrameParts {
  composer(most: number): { readonly rows: readonly Row[]; readonly caret: Frame['caret'] };
  readonly status: Row;
  overlay(most: number): readonly Row[];
  beside(most: number): readonly Row[];
  conversation(most: number): TranscriptRows;
}

/** Number of live rows of the conversation; few enough to be visible on a small terminal. */
const liveRows = 10;
const fieldRows = 8;
/** Number of rows for plugin panels. */
const besideRows = 6;

/** @param rows height of the terminal */
export function composeFrame(rows: number, { composer: field, status, overlay, beside: panels, conversation }: FrameParts): Frame {
  const room = Math.max(2, rows - 1);
  const composer = field(Math.min(fieldRows, Math.max(1, room - 3)));
  let left = room - composer.rows.length - 1;
  const panel = left > 1 ? overlay(left) : [];
  left -= panel.length;
  const beside = panels(Math.max(0, Math.min(besideRows, left - 4)));
  left -= beside.length;
  const said = conversation(Math.max(0, Math.min(liveRows, left - 2)));
  const gap: Row[] = left > 1 ? [[]] : [];
  const waiting = said.waiting.slice(0, Math.max(0, left - gap.length - said.live.length));
  const above: Row[] = [...said.live, ...gap, ...waiting, ...beside, ...panel, ...(room > composer.rows.length ? [status] : [])];
  return {
    commits: said.commits,
    rows: [...above, ...composer.rows],
    caret: { row: above.length + composer.caret.row, column: composer.caret.column },
  };
}
