// Styled text as the terminal writer takes it: spans of plain text, which never hold a control sequence of their own.
import { makeSafe } from 'agent-harness/lib/terminal';

/** Parameters of one SGR sequence, `1;36`; empty for the terminal's own look. Only the 16 colours that a terminal's theme chooses. */
export type Style = string;

export interface Span {
  readonly text: string;
  readonly style: Style;
  /** Address that the terminal opens where it knows how; only those of {@link linkedSpan}. */
  readonly link?: string;
  /** A person's message begins here: terminals go from one such place to the next. */
  readonly isMessageStart?: true;
}

/** One line: as wide as it likes in scrollback, at most as wide as the terminal in the live region. */
export type Row = readonly Span[];

/** What a row is said in. `plain` means: nothing but the terminal's own colours. */
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

/** The one way from a text of others to the screen: one line of it, without anything that a terminal would obey. */
export function spanOf(text: string, style: Style = styles.plain): Span {
  const safe = makeSafe(text);
  return { text: laidOut.test(safe) ? safe.replaceAll('\t', '    ').replaceAll('\n', '') : safe, style };
}

/** What a terminal may be given as an address: nothing that ends the sequence, and nothing that runs something. */
const linkable = /^(?:https?:\/\/|mailto:)[\x21-\x7e]{1,1000}$/i;

/** Text that leads somewhere, where the address is one for people. */
export function linkedSpan(text: string, style: Style, address: string): Span {
  const span = spanOf(text, style);
  return linkable.test(address) ? { ...span, link: address } : span;
}

/** Another text that looks and leads as the span does. */
export function withText({ style, link }: Span, text: string): Span {
  return link === undefined ? { text, style } : { text, style, link };
}

export function rowOf(text: string, style: Style = styles.plain): Row {
  return text === '' ? [] : [spanOf(text, style)];
}

/** Both looks at once. */
export function join(outer: Style, inner: Style): Style {
  return outer === '' ? inner : inner === '' ? outer : `${outer};${inner}`;
}

export function textOf(row: Row): string {
  return row.length === 1 ? (row[0]?.text ?? '') : row.map(({ text }) => text).join('');
}

/** Lines of a text of others, each in one style. */
export function linesOf(text: string, style: Style = styles.plain): Row[] {
  return text.split(/\r?\n/).map((line) => rowOf(line, style));
}
