// Computes which lines above the caret remain after the terminal rewrapped a frame that was drawn for another width.
import { heightOf, isSameRow, type Frame, type Live } from './frame.ts';
import { rowWidth } from './measure.ts';

/** Returns the lines that remain after the terminal overwrote everything from one of its rows on. */
export function linesBefore(widths: readonly number[], row: number, columns: number): number[] {
  const kept: number[] = [];
  let at = 0;
  for (const width of widths) {
    if (at >= row) break;
    const height = heightOf([width], columns);
    kept.push(at + height <= row ? width : (row - at) * columns);
    at += height;
  }
  return kept;
}

/** One row of the terminal. */
interface Broken {
  width: number;
  /** Whether the row continues a line that the terminal wrapped. */
  readonly isGoingOn: boolean;
}

/** Returns the lines that remain after rows were changed in place. Each change affects the terminal row at the same distance from the caret. */
export function linesInPlace(before: Live, stood: readonly number[], frame: Frame, columns: number): number[] {
  const broken = stood.flatMap((width) =>
    Array.from({ length: heightOf([width], columns) }, (_, at): Broken => ({ width: Math.min(columns, Math.max(0, width - at * columns)), isGoingOn: at > 0 })),
  );
  const shift = broken.length - before.caret.row;
  const rows = [...frame.commits, ...frame.rows];
  const caretAt = shift + frame.commits.length + frame.caret.row;
  while (broken.length < caretAt) broken.push({ width: rowWidth(before.rows[broken.length - shift] ?? []), isGoingOn: false });
  for (const [at, row] of rows.entries()) {
    const old = before.rows[at];
    const hit = broken[shift + at];
    if (!hit || isSameRow(old, row)) continue;
    const width = Math.min(rowWidth(row), columns);
    hit.width = old && rowWidth(old) > width ? width : Math.max(hit.width, width);
  }
  const lines: number[] = [];
  for (const { width, isGoingOn } of broken.slice(0, caretAt)) {
    if (isGoingOn && lines.length > 0) lines[lines.length - 1] = Math.ceil((lines.at(-1) ?? 0) / columns) * columns + width;
    else lines.push(width);
  }
  return lines;
}
