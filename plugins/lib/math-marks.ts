// Finds mathematics in the forms that models write: `$ … $` and `\( … \)` inline, `$$ … $$` and `\[ … \]` also as blocks. Pure.

export interface MathMark {
  /** The text with its delimiters. */
  readonly raw: string;
  readonly tex: string;
  readonly isDisplay: boolean;
  /** Whether the end is missing, because the text is still streaming or was truncated. */
  readonly isOpen: boolean;
}

/** Returns whether the text may contain mathematics; a fast check. */
export function mayHaveMath(text: string): boolean {
  return text.includes('$') || text.includes('\\(') || text.includes('\\[');
}

/** Returns the offset in the next paragraph at which a block may start; `undefined` if there is none. */
export function nextMathBlock(source: string): number | undefined {
  const end = source.indexOf('\n\n');
  const found = (end === -1 ? source : source.slice(0, end)).search(/^ {0,3}(?:\$\$|\\\[)/m);
  return found === -1 ? undefined : found;
}

/** Returns the block at the beginning of `source`. A blank line ends every block. */
export function mathBlockAt(source: string): MathMark | undefined {
  const [opening, sign] = /^ {0,3}(\$\$|\\\[)/.exec(source) ?? [];
  if (opening === undefined) return undefined;
  const [text = ''] = source.split(/\n[ \t]*\r?\n/, 1);
  const end = text.indexOf(sign === '$$' ? '$$' : '\\]', opening.length);
  if (end === -1) {
    // Without a closing delimiter, an opening delimiter starts a block only if it is alone on its line.
    return /^[ \t]*(?:\r?\n|$)/.test(text.slice(opening.length))
      ? { raw: text, tex: text.slice(opening.length).trim(), isDisplay: true, isOpen: true }
      : undefined;
  }
  const [behind] = /^[ \t]*(?:\r?\n|$)/.exec(text.slice(end + 2)) ?? [];
  const tex = text.slice(opening.length, end).trim();
  return behind === undefined || tex === '' ? undefined : { raw: text.slice(0, end + 2 + behind.length), tex, isDisplay: true, isOpen: false };
}

/** Returns the offset at which inline mathematics may start; a dollar sign at the end of a word opens nothing. */
export function nextMathInLine(source: string): number | undefined {
  const found = source.search(/(?<![\w$\\])\$(?=[^\s])|\\[([]/);
  return found === -1 ? undefined : found;
}

const inLine: readonly (readonly [RegExp, boolean])[] = [
  [/^\$\$([^$]+?)\$\$/, true],
  [/^\\\[([^]+?)\\\]/, true],
  [/^\\\(([^]+?)\\\)/, false],
  // A dollar sign next to code or currency characters is not a math delimiter.
  [/^\$(?![\s$])((?:[^$`\\\n]|\\[^\n])+?)(?<!\s)\$(?![\w$])/, false],
];

/** Returns the inline mathematics at the beginning of `source`. */
export function mathInLineAt(source: string): MathMark | undefined {
  for (const [pattern, isDisplay] of inLine) {
    const [raw, tex = ''] = pattern.exec(source) ?? [];
    if (raw === undefined || tex.trim() === '' || /\n[ \t]*\r?\n/.test(raw) || isAmount(raw, tex)) continue;
    return { raw, tex: tex.trim(), isDisplay, isOpen: false };
  }
  return undefined;
}

/** Excludes text such as "$5 and you have 6$", with words between a number and the next dollar sign. */
function isAmount(raw: string, tex: string): boolean {
  return raw.startsWith('$') && /^\d[^\\^_={}]*\s[a-z]{2,}[^\\^_={}]*$/i.test(tex);
}
