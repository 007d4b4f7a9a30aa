// Renders the view of a plugin as rows: its text lines in terminal colours, and its Markdown.
import { viewParts, type Look, type View } from 'agent-harness/view';
import { cutRow, rowWidth, widthOf } from '../screen/measure.ts';
import { spanOf, styles, type Row, type Style } from '../screen/spans.ts';
import { wrapRow } from '../screen/wrap.ts';
import { createMarkdownStream } from './stream-markdown.ts';

const looks: Readonly<Record<Look, Style>> = {
  strong: styles.bold,
  weak: styles.dim,
  good: styles.green,
  bad: styles.red,
  busy: styles.yellow,
  accent: styles.cyan,
};
const indent = spanOf('  ');

export interface ViewRowsOptions {
  /** Whether to list the actions of the view with their commands. */
  readonly isCalled?: boolean;
  /** Whether to truncate long rows instead of wrapping them. */
  readonly isCut?: boolean;
}

export function viewRows(view: View, columns: number, { isCalled = false, isCut = false }: ViewRowsOptions = {}): Row[] {
  const room = Math.max(20, columns - 2);
  const rows = viewParts(view, { columns: room, widthOf, ...(isCalled ? { command: '/view' } : {}) }).flatMap((part): Row[] => {
    if ('markdown' in part) return [...createMarkdownStream().take(part.markdown, true, room).commits];
    return part.lines.flatMap((line) => {
      const row = line.map(({ text, look }) => spanOf(text, look === undefined ? styles.plain : looks[look]));
      if (isCut) return [cutRow(row, room)];
      return rowWidth(row) <= room ? [row] : wrapRow(row, room, { first: [], rest: [indent] });
    });
  });
  return rows.map((row): Row => (row.length === 0 ? row : [indent, ...row]));
}
