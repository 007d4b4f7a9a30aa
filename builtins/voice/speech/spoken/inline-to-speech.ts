// Converts one sentence of Markdown to its spoken form, with words instead of syntax.
import { decodeHTML } from 'entities';
import type { MarkedToken, Token } from 'marked';
import { lexInline } from '#lib/markdown';
import { oneLine } from '#lib/text';
import { formulaToSpeech } from './formula-to-speech.ts';

/** Maximum length of spoken code; longer code is only mentioned. */
const longestCode = 60;
const maxFormula = 60;

/** Returns the spoken form of a sentence; an empty string if nothing can be spoken. */
export function inlineToSpeech(markdown: string): string {
  return tidy(sayAll(lexInline(withFormulas(markdown.trim()))));
}

function sayAll(tokens: readonly Token[] | undefined): string {
  return tokens?.map((token) => say(token as MarkedToken)).join('') ?? '';
}

function say(token: MarkedToken): string {
  switch (token.type) {
    case 'codespan':
      return sayCode(token.text);
    case 'link':
      return isAddress(token.text) ? sayAddress(token.href) : sayAll(token.tokens);
    case 'image':
      return token.text === '' ? ' image ' : ` image: ${token.text} `;
    case 'br':
      return ' ';
    case 'html':
      return ' ';
    case 'escape':
      return token.text;
    case 'text':
      return token.tokens ? sayAll(token.tokens) : decodeHTML(token.text);
    default:
      return 'tokens' in token ? sayAll(token.tokens) : decodeHTML('text' in token ? String(token.text) : token.raw);
  }
}

function isAddress(text: string): boolean {
  return /^(?:https?:\/\/|www\.)\S+$/i.test(text) || /^mailto:/i.test(text);
}

function sayAddress(href: string): string {
  if (/^mailto:/i.test(href)) return href.slice('mailto:'.length);
  const host = /^(?:https?:\/\/)?(?:www\.)?([^/:?#]+)/i.exec(href)?.[1];
  return host === undefined ? 'a link' : `a link to ${host}`;
}

/** Speaks a name as its words, a path as its last segment, and a command unchanged. */
function sayCode(code: string): string {
  const text = code.trim();
  if (text.length > longestCode) return 'some code';
  if (/\s/.test(text)) return text;
  return isAddress(text) ? sayAddress(text) : sayName(text);
}

/** Speaks `src/app/read_file.test.ts` as "read file dot test dot ts". */
function sayName(text: string): string {
  const name = /[/\\]/.test(text)
    ? (text
        .split(/[/\\]+/)
        .filter(Boolean)
        .at(-1) ?? text)
    : text;
  return name
    .replace(/\((.*?)\);?$/, (_, args: string) => (args === '' ? '' : ` of ${args}`))
    .replace(/(?<=[\p{L}\p{N}])\.(?=\p{L})/gu, ' dot ')
    .replace(/^\.(?=\p{L})/u, 'dot ')
    .replace(/(?<=\p{L})_+|_+(?=\p{L})/gu, ' ')
    .replace(/(?<=\p{Ll})(?=\p{Lu}\p{Ll})/gu, ' ');
}

/** Replaces formulas with words before Markdown interprets their characters. */
function withFormulas(text: string): string {
  const words = (formula: string): string => (formula.length > maxFormula ? ' a formula ' : ` ${formulaToSpeech(formula)} `);
  return text
    .replace(/\\\(([\s\S]+?)\\\)|\$\$([\s\S]+?)\$\$/g, (_, formula: string | undefined, shown: string | undefined) => words(formula ?? shown ?? ''))
    .replace(/(`[^`]*`)|\$(?=[^\s$])([^$\n]*[\\^_=][^$\n]*?)\$/g, (whole, code: string | undefined, formula: string) =>
      code === undefined ? words(formula) : whole,
    );
}

/** Matches file paths in running text; only the file name is spoken. */
const path = /(?<![\p{L}\p{N}/:@.])(?:\.{0,2}\/)?(?:[\w.@-]+\/)+([\w.-]+\.[a-z]\w{0,5})(?![\w/])/gu;
const pictures = /(?![©®™↔])\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|[\ufe0f\u200d\u20e3]|[\u{e0020}-\u{e007f}]/gu;

function tidy(text: string): string {
  const words = text
    .replace(/(?<![\w@])(?:https?:\/\/|www\.)[^\s<>)]*[^\s<>).,!?;:'"]/gi, sayAddress)
    .replace(path, (_, name: string) => sayName(name))
    .replace(/([0-9#*])\ufe0f?\u20e3/gu, '$1')
    .replace(pictures, '')
    .replace(/\[\^[^\]]*\]|\u3010[^\u3011]*\u3011|(?<=\S)\s?\[\d{1,3}\]/gu, '')
    .replace(/\[([^\]]+)\]\[[^\]]*\]/g, '$1')
    .replace(/\s*(?:<?=>|[-=]+>|\u2192|\u21d2)\s*/g, ' to ')
    .replace(/(?<![\p{L}\p{N}])[*_~`#|>]+|[*_~`|]+(?![\p{L}\p{N}])/gu, ' ')
    .replace(/\s+([,.;:!?\u2026)\]])/gu, '$1')
    .replace(/\(\s+/g, '(');
  return oneLine(words);
}

/** Returns whether the text contains anything that can be spoken. */
export function isSayable(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** Adds a final punctuation mark, without which an engine would not lower its voice at the end. */
export function asSentence(text: string): string {
  return /[\p{Terminal_Punctuation}\u2026]["'\u2019\u201d\u00bb)\]]*$/u.test(text) ? text : `${text}.`;
}
