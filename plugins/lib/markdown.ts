// Parses Markdown into the tokens of `marked`: GitHub flavour, mathematics, and the Markdown that models write in Chinese, Japanese and Korean. Pure.
import { Lexer, Tokenizer, type MarkedOptions, type Tokens } from 'marked';
import { mathBlockAt, mathInLineAt, mayHaveMath, nextMathBlock, nextMathInLine, type MathMark } from './math-marks.ts';

export interface MathToken extends MathMark {
  readonly type: 'math';
}

/** A `marked` token, with a simpler type than the library's own. */
export interface MarkdownToken {
  [field: string]: unknown;
  type: string;
  raw: string;
  tokens?: MarkdownToken[];
}

export function isMath(token: { readonly type: string }): token is MathToken {
  return token.type === 'math';
}

/** Parses a document. Throws if the nesting is too deep. */
export function lexMarkdown(text: string): MarkdownToken[] {
  return lexerFor(text).lex(text) as MarkdownToken[];
}

/** Parses a document into blocks, without their inline content. */
export function lexBlocks(text: string): MarkdownToken[] {
  return lexerFor(text).blockTokens(text) as MarkdownToken[];
}

export function lexInline(text: string): MarkdownToken[] {
  return lexerFor(text).inlineTokens(text) as MarkdownToken[];
}

export interface Fence {
  /** The info string after the opening fence: the language and the text after it. */
  readonly info: string;
  /** Processes the next line, without its line break. Returns whether the line closes the block. */
  closesWith(line: string): boolean;
}

/** Matches the languages whose code blocks may contain fences. */
const isMarkdown = /^(?:md|mdx|markdown)\b/i;
const opening = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$/;

/**
 * Opens a code block at a line. A Markdown block may contain code blocks whose fences are not longer than its own, because models write them that way: each
 * fence with a language opens a block, and the next fence without a language closes it.
 * @returns `undefined` if the line opens no block
 */
export function openFence(line: string): Fence | undefined {
  const [, marks = '', rest = ''] = opening.exec(line) ?? [];
  if (marks === '') return undefined;
  const info = rest.trim();
  const isNesting = isMarkdown.test(info);
  const mark = new RegExp(`^ {0,3}${marks[0]}{${marks.length},}[ \\t]*(.*)$`);
  let depth = 1;
  return {
    info,
    closesWith(inner) {
      const found = mark.exec(inner);
      if (!found) return false;
      if (found[1] === '') depth--;
      else if (isNesting && opening.test(inner)) depth++;
      return depth === 0;
    },
  };
}

const cjk = '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Bopomofo}';
/** Punctuation of Chinese, Japanese and Korean, which is not separated from words by spaces. */
const wide = '\\u3001-\\u3003\\u3008-\\u3011\\u3014-\\u301f\\uff01-\\uff0f\\uff1a-\\uff20\\uff3b-\\uff40\\uff5b-\\uff65';
const cjkBefore = new RegExp(`[${cjk}${wide}]$`, 'u');
const wideBehind = new RegExp(`^(?:\\*+|~+)[${wide}]`, 'u');

/** Lets emphasis start and end at punctuation next to a letter, because Chinese, Japanese and Korean have no spaces between words. */
class FriendlyTokenizer extends Tokenizer {
  override emStrong(src: string, maskedSrc: string, prevChar = ''): Tokens.Em | Tokens.Strong | undefined {
    return super.emStrong(src, maskedSrc, src.startsWith('*') ? before(src, prevChar) : prevChar);
  }

  override del(src: string, maskedSrc: string, prevChar = ''): Tokens.Del | undefined {
    return super.del(src, maskedSrc, before(src, prevChar));
  }

  override fences(src: string): Tokens.Code | undefined {
    const read = super.fences(src);
    const fence = read && openFence(src.slice(0, endOfLine(src, 0)));
    if (!read || !fence || !isMarkdown.test(fence.info)) return read;
    let at = endOfLine(src, 0) + 1;
    const start = at;
    for (; at < src.length; at = endOfLine(src, at) + 1) {
      const end = endOfLine(src, at);
      if (fence.closesWith(src.slice(at, end))) return { ...read, raw: src.slice(0, end), text: src.slice(start, Math.max(start, at - 1)) };
    }
    return { ...read, raw: src, text: src.slice(start) };
  }
}

/** Returns an empty string, which lets emphasis start, if the previous character is a letter or punctuation of these languages. */
function before(src: string, prevChar: string): string {
  return cjkBefore.test(prevChar) || wideBehind.test(src) ? '' : prevChar;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

const strongEnd = endOf('*', String.raw`^[^_*]*?__[^_*]*?\*[^_*]*?(?=__)|`);
const strikeEnd = endOf('~', '');

/**
 * Returns the pattern for delimiter runs after an opening run, in the form that `marked` expects: groups 1 and 2 close, 3 and 4 open, 5 and 6 do either
 * (CommonMark 0.31, section 6.2). In addition, a run between punctuation and a letter of these languages does either.
 */
function endOf(mark: '*' | '~', first: string): RegExp {
  const raw = String.raw;
  const marks = mark === '*' ? raw`\*+` : '~~?';
  const last = mark === '*' ? raw`(${marks})(?!\*)` : raw`(${marks})(?!~)`;
  // Wide punctuation is treated as a letter, and so is a tilde next to a run of asterisks.
  const no = raw`(?![${mark === '*' ? '~' : ''}${wide}])`;
  const next = raw`${no}[\p{P}\p{S}]`;
  const sign = raw`(?![${mark}])${next}`;
  const letter = raw`(?:[^\s\p{P}\p{S}]|[${mark === '*' ? '~' : ''}${wide}])`;
  const closes = [raw`${sign}(${marks})(?=\s|$)`, raw`${letter}${last}(?=\s|${next}|$)`];
  const opens = [raw`(?:\s|${sign}(?!${marks}[${cjk}]))(${marks})(?=${letter})`, raw`\s${last}(?=${next})`];
  const either = [raw`${sign}${last}(?=${next}|[${cjk}])`, raw`${letter}(${marks})(?=${letter})`];
  return new RegExp(`${first}[^${mark}]+(?=[^${mark}])|${[...closes, ...opens, ...either].join('|')}`, 'gu');
}

/** Returns the pattern for URLs: they end at punctuation of these languages, and their hosts end at letters of these languages. */
function addressRule({ source }: RegExp): RegExp {
  return new RegExp(
    source.replace(String.raw`[^\s<]*`, () => String.raw`(?:(?:(?<=\.)|(?![${cjk}]))[^\s<${wide}\u201c\u201d\u2026]*)?`),
    'u',
  );
}

/** The GitHub rules of `marked`, except for the ends of emphasis and URLs. */
const gfm = (new Lexer({ gfm: true }).options.tokenizer as Tokenizer).rules;
const rules = { ...gfm, inline: { ...gfm.inline, emStrongRDelimAst: strongEnd, delRDelim: strikeEnd, url: addressRule(gfm.inline.url) } };

const toToken = (mark: MathMark | undefined): MathToken | undefined => mark && { type: 'math', ...mark };
const mathExtensions: NonNullable<MarkedOptions['extensions']> = {
  ...{ renderers: {}, childTokens: {} },
  block: [(source) => toToken(mathBlockAt(source))],
  startBlock: [(source) => nextMathBlock(source)],
  inline: [(source) => toToken(mathInLineAt(source))],
  startInline: [(source) => nextMathInLine(source)],
};

function lexerFor(text: string): Lexer {
  const lexer = new Lexer({ gfm: true, tokenizer: new FriendlyTokenizer(), ...(mayHaveMath(text) ? { extensions: mathExtensions } : {}) });
  (lexer.options.tokenizer as Tokenizer).rules = rules;
  return lexer;
}
