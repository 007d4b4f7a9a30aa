// Lays out a Markdown block as rows. Prose is wrapped at words; code is not wrapped, because wrapped code cannot be copied correctly.
import type { Token, Tokens } from 'marked';
import { cutRow, rowWidth } from '../screen/measure.ts';
import { linesOf, rowOf, spanOf, styles, textOf, type Row, type Style } from '../screen/spans.ts';
import { wrapRow } from '../screen/wrap.ts';
import { loadedColors, noColors, type CodeColors } from './syntax-highlighter.ts';
import { inlineRows } from './inline-rows.ts';

/** Maximum nesting depth of lists and quotes that are laid out. */
const maxDepth = 12;

/** @param columns maximum width of a row */
export function blockRows(token: Token, columns: number, depth = 0, colors = noColors): Row[] {
  if (depth > maxDepth) return linesOf(token.raw);
  switch (token.type) {
    case 'space':
    case 'def':
      return [];
    case 'heading':
      return wrapAll(inlineRows(token.tokens ?? [], (token as Tokens.Heading).depth === 1 ? `${styles.bold};${styles.underline}` : styles.bold), columns);
    case 'code':
      return codeRows(token as Tokens.Code, colors);
    case 'hr':
      return [rowOf('─'.repeat(Math.min(columns, 24)), styles.dim)];
    case 'list':
      return (token as Tokens.List).items.flatMap((item, at) => itemRows(item, markOf(token as Tokens.List, at), columns, depth, colors));
    case 'blockquote':
      return framed(inner(token.tokens ?? [], columns - 2, depth + 1, true, colors), spanOf('│ ', styles.dim));
    case 'table':
      return tableRows(token as Tokens.Table, columns);
    case 'math':
      return linesOf(token.raw.trimEnd());
    case 'html':
      return linesOf(token.raw.trimEnd(), styles.dim);
    default:
      return wrapAll(inlineRows('tokens' in token && token.tokens ? token.tokens : [token]), columns);
  }
}

export function itemRows(item: Tokens.ListItem, mark: string, columns: number, depth = 0, colors = noColors): Row[] {
  const box = item.task ? (item.checked === true ? '[x] ' : '[ ] ') : '';
  const indent = ' '.repeat(mark.length);
  const rows = inner(
    item.tokens.filter(({ type }) => type !== 'checkbox'),
    Math.max(8, columns - mark.length),
    depth + 1,
    false,
    colors,
  );
  const [first = [], ...rest] = rows.length === 0 ? [[]] : rows;
  return [[spanOf(mark, styles.dim), ...rowOf(box), ...first], ...rest.map((row): Row => (row.length === 0 ? row : [spanOf(indent), ...row]))];
}

export function markOf({ ordered, start }: Tokens.List, at: number): string {
  return ordered ? `${Number(start === '' ? 1 : start) + at}. ` : '• ';
}

function codeRows({ text, raw, lang = '' }: Tokens.Code, colors: CodeColors): Row[] {
  const block = loadedColors(colors).begin(lang);
  const rows = block && block !== 'coming' ? block.take(text.split(/\r?\n/)) : linesOf(text);
  return /^ {0,3}(`{3}|~{3})/.test(raw) ? [rowOf(`\`\`\`${lang}`, styles.dim), ...rows, rowOf('```', styles.dim)] : rows.map((row) => [spanOf('    '), ...row]);
}

function inner(tokens: readonly Token[], columns: number, depth: number, isLoose = true, colors = noColors): Row[] {
  return tokens
    .map((token) => blockRows(token, Math.max(8, columns), depth, colors))
    .filter((rows) => rows.length > 0)
    .flatMap((rows, at): Row[] => (at > 0 && isLoose ? [[], ...rows] : rows));
}

function framed(rows: readonly Row[], mark: Row[number]): Row[] {
  return rows.map((row) => [mark, ...row]);
}

function wrapAll(rows: readonly Row[], columns: number): Row[] {
  return rows.flatMap((row) => wrapRow(row, columns));
}

/** Aligns columns if they fit; otherwise each table row is rendered as several lines. */
function tableRows({ header, rows, align }: Tokens.Table, columns: number): Row[] {
  const cellsOf = (cells: readonly Tokens.TableCell[], style: Style): Row[] => cells.map((cell) => inlineRows(cell.tokens, style).flat());
  const heads = cellsOf(header, styles.bold);
  const lines = rows.map((cells) => cellsOf(cells, styles.plain));
  const widths = heads.map((head, at) => Math.max(rowWidth(head), ...lines.map((line) => rowWidth(line[at] ?? []))));
  if (widths.reduce((sum, width) => sum + width + 2, -2) <= columns) {
    const layOut = (cells: readonly Row[]): Row => cells.flatMap((cell, at) => padCell(cell, widths[at] ?? 0, align[at] ?? null, at === cells.length - 1));
    return [layOut(heads), rowOf(widths.map((width) => '─'.repeat(width)).join('  '), styles.dim), ...lines.map(layOut)];
  }
  return lines.flatMap((line, index): Row[] => [
    ...(index > 0 ? [[]] : []),
    ...line.flatMap((cell, at) => wrapRow([spanOf(`${textOf(heads[at] ?? [])}: `, styles.bold), ...cell], columns, { first: [], rest: [spanOf('  ')] })),
  ]);
}

function padCell(cell: Row, width: number, align: 'center' | 'left' | 'right' | null, isLast: boolean): Row {
  const free = width - rowWidth(cell);
  const before = align === 'right' ? free : align === 'center' ? Math.floor(free / 2) : 0;
  const after = free - before + (isLast ? 0 : 2);
  return [...(before > 0 ? [spanOf(' '.repeat(before))] : []), ...cell, ...(after > 0 && !isLast ? [spanOf(' '.repeat(after))] : [])];
}

/** Returns the last rows, each truncated to the width of the terminal. */
export function lastRows(rows: readonly Row[], most: number, columns: number): Row[] {
  return rows.slice(Math.max(0, rows.length - most)).map((row) => cutRow(row, columns));
}
