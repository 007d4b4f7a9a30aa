// Mathematics in a text, as models write it: `$ … $` and `\( … \)` within a line, `$$ … $$` and `\[ … \]` also on lines of their own. Pure.

export interface MathMark {
  /** With its signs. */
  readonly raw: string;
  readonly tex: string;
  readonly isDisplay: boolean;
  /** Nothing ends it: it is still being written, or it was cut off. */
  readonly isOpen: boolean;
}

/** Whether there can be any; cheap. */
export function mayHaveMath(text: string): boolean {
  return text.includes('$') || text.includes('\\(') || text.includes('\\[');
}

/** Where within the next paragraph a block may begin; `undefined` for nowhere. */
export function nextMathBlock(source: string): number | undefined {
  const end = source.indexOf('\n\n');
  const found = (end === -1 ? source : source.slice(0, end)).search(/^ {0,3}(?:\$\$|\\\[)/m);
  return found === -1 ? undefined : found;
}

/** A block at the beginning of `source`. A blank line ends every block. */
export function mathBlockAt(source: string): MathMark | undefined {
  const [opening, sign] = /^ {0,3}(\$\$|\\\[)/.exec(source) ?? [];
  if (opening === undefined) return undefined;
  const [text = ''] = source.split(/\n[ \t]*\r?\n/, 1);
  const end = text.indexOf(sign === '$$' ? '$$' : '\\]', opening.length);
  if (end === -1) {
    // Words may follow two dollars in a line; on a line of their own they open something.
    return /^[ \t]*(?:\r?\n|$)/.test(text.slice(opening.length))
      ? { raw: text, tex: text.slice(opening.length).trim(), isDisplay: true, isOpen: true }
      : undefined;
  }
  const [behind] = /^[ \t]*(?:\r?\n|$)/.exec(text.slice(end + 2)) ?? [];
  const tex = text.slice(opening.length, end).trim();
  return behind === undefined || tex === '' ? undefined : { raw: text.slice(0, end + 2 + behind.length), tex, isDisplay: true, isOpen: false };
}

/** Where within a line it may begin; a dollar that a word ends with opens nothing. */
export function nextMathInLine(source: string): number | undefined {
  const found = source.search(/(?<![\w$\\])\$(?=[^\s])|\\[([]/);
  return found === -1 ? undefined : found;
}

const inLine: readonly (readonly [RegExp, boolean])[] = [
  [/^\$\$([^$]+?)\$\$/, true],
  [/^\\\[([^]+?)\\\]/, true],
  [/^\\\(([^]+?)\\\)/, false],
  // Signs of code and of money around it speak against it.
  [/^\$(?![\s$])((?:[^$`\\\n]|\\[^\n])+?)(?<!\s)\$(?![\w$])/, false],
];

/** What stands within a line, at the beginning of `source`. */
export function mathInLineAt(source: string): MathMark | undefined {
  for (const [pattern, isDisplay] of inLine) {
    const [raw, tex = ''] = pattern.exec(source) ?? [];
    if (raw === undefined || tex.trim() === '' || /\n[ \t]*\r?\n/.test(raw) || isAmount(raw, tex)) continue;
    return { raw, tex: tex.trim(), isDisplay, isOpen: false };
  }
  return undefined;
}

/** "$5 and you have 6$": words between a number and the next dollar. */
function isAmount(raw: string, tex: string): boolean {
  return raw.startsWith('$') && /^\d[^\\^_={}]*\s[a-z]{2,}[^\\^_={}]*$/i.test(tex);
}
