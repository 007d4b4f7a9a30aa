// Lays out the input text as screen rows, with the position of the caret.
import { graphemesOf, widthOf } from '../screen/measure.ts';
import { rowOf, spanOf, styles, type Row } from '../screen/spans.ts';

export interface ComposerView {
  readonly rows: readonly Row[];
  readonly caret: { readonly row: number; readonly column: number };
}

interface Layout {
  readonly rows: string[];
  caret: { row: number; column: number };
}

/** @param most maximum number of rows; the rows around the caret are shown @param hint text to show while the input is empty */
export function composerRows(text: string, caret: number, columns: number, most: number, hint: string): ComposerView {
  const mark = '› ';
  const { rows, caret: at } = layOut(text, caret, Math.max(4, columns - 1 - mark.length));
  const first = Math.max(0, Math.min(at.row - most + 1, rows.length - most));
  const shown = rows.slice(first, first + most);
  const rowsShown = shown.map((row, index) => [
    spanOf(first + index === 0 ? mark : '  ', styles.bold),
    ...(text === '' ? rowOf(hint.slice(0, columns - 4), styles.dim) : rowOf(row)),
  ]);
  return { rows: rowsShown, caret: { row: at.row - first, column: at.column + mark.length } };
}

/** Wraps at characters instead of words, so that text does not jump while the user types. */
function layOut(text: string, caret: number, columns: number): Layout {
  const layout: Layout = { rows: [], caret: { row: 0, column: 0 } };
  let offset = 0;
  for (const line of text.split('\n')) {
    let row = '';
    let width = 0;
    for (const sign of graphemesOf(line)) {
      const shown = sign === '\t' ? '    ' : sign;
      const signWidth = widthOf(shown);
      if (width + signWidth > columns) {
        layout.rows.push(row);
        row = '';
        width = 0;
      }
      if (offset === caret) layout.caret = { row: layout.rows.length, column: width };
      row += shown;
      width += signWidth;
      offset += sign.length;
    }
    if (offset === caret) layout.caret = { row: layout.rows.length, column: width };
    layout.rows.push(row);
    offset++;
  }
  return layout;
}
