// Defines styled text for the terminal: spans of plain text that never contain a control sequence.
import { makeSafe } from '#lib/terminal';

/** Parameters of one SGR sequence, such as `1;36`; empty for the terminal's default style. Uses only the 16 colours that the terminal's theme defines. */
export type Style = string;

export interface Span {
  readonly text: string;
  readonly style: Style;
  /** Address that the terminal opens if it supports links; set only by {@link linkedSpan}. */
  readonly link?: string;
  /** Start of a user message, to which terminals can jump. */
  readonly isMessageStart?: true;
}

/** One line: of any width in the scrollback, at most as wide as the terminal in the live rows. */
export type Row = readonly Span[];

/** The styles of rows. `plain` means the terminal's own colours. */
export const styles = {
  plain: '',
  bold: '1',
  dim: '2',
  italic: '3',
  underline: '4',
  strike: '9',
  reverse: '7',
  red: '31',
  green: '32',
  yellow: '33',
  blue: '34',
  magenta: '35',
  cyan: '36',
} as const satisfies Readonly<Record<string, Style>>;

const laidOut = /[\t\n]/;

/** Converts one line of external text to a span without control characters. External text must reach the screen only through this function. */
export function spanOf(text: string, style: Style = styles.plain): Span {
  const safe = makeSafe(text);
  return { text: laidOut.test(safe) ? safe.replaceAll('\t', '    ').replaceAll('\n', '') : safe, style };
}

/** Safe link addresses: without control characters, and with a scheme that executes nothing. */
const linkable = /^(?:https?:\/\/|mailto:)[\x21-\x7e]{1,1000}$/i;

/** Returns text with a link if the address is safe, plain text otherwise. */
export function linkedSpan(text: string, style: Style, address: string): Span {
  const span = spanOf(text, style);
  return linkable.test(address) ? { ...span, link: address } : span;
}

/** Returns a span with another text and the same style and link. */
export function withText({ style, link }: Span, text: string): Span {
  return link === undefined ? { text, style } : { text, style, link };
}

export function rowOf(text: string, style: Style = styles.plain): Row {
  return text === '' ? [] : [spanOf(text, style)];
}

/** Combines both styles. */
export function join(outer: Style, inner: Style): Style {
  return outer === '' ? inner : inner === '' ? outer : `${outer};${inner}`;
}

export function textOf(row: Row): string {
  return row.length === 1 ? (row[0]?.text ?? '') : row.map(({ text }) => text).join('');
}

/** Returns the lines of an external text, each in a single style. */
export function linesOf(text: string, style: Style = styles.plain): Row[] {
  return text.split(/\r?\n/).map((line) => rowOf(line, style));
}
