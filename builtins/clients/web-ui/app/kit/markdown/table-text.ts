// Converts a table to text for other programs. Pure.
import type { Tokens } from 'marked';
import { lexMarkdown } from '#lib/markdown';

/** Returns the cells as plain text, header first; `undefined` if the text is not a table. */
export function cellsOf(raw: string): string[][] | undefined {
  const table = lexMarkdown(raw).find((token) => token.type === 'table') as Tokens.Table | undefined;
  return table && [table.header, ...table.rows].map((row) => row.map(({ text }) => plain(text)));
}

/** Formats a table as tab-separated text, for spreadsheets. */
export function tabbed(cells: readonly (readonly string[])[]): string {
  return cells.map((row) => row.map((cell) => cell.replace(/\s+/g, ' ')).join('\t')).join('\n');
}

/** Formats a table as CSV (RFC 4180). Text that a spreadsheet would treat as a formula is escaped. */
export function commaSeparated(cells: readonly (readonly string[])[]): string {
  return cells.map((row) => row.map(quoted).join(',')).join('\r\n') + '\r\n';
}

function quoted(cell: string): string {
  const safe = /^[=+@\t\r]|^-(?![\d.])/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function plain(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|__|~~|`)(.+?)\1/g, '$2')
    .replace(/\\\|/g, '|')
    .replace(/<br\s*\/?>/gi, ' ')
    .trim();
}
