// The one table of characters that hide, reorder or leave blank what is read. Runs in browsers, too. Apart from other text, because its
// patterns bring five megabytes of Unicode tables into memory.

/** A part of a text; a hidden character comes as its number, `U+202E`. */
export interface TextPart {
  readonly text: string;
  readonly isHidden: boolean;
}

/**
 * Control and format characters (reading direction, no width, tags), lone surrogates, what fonts leave out by default
 * (fillers, variation selectors), every blank but the space, and signs that are drawn as nothing. Tabs, line feeds and line
 * ends of Windows stay; so do the joiners and selectors inside an emoji.
 */
const hiddenSource = [
  /(?<!\p{Extended_Pictographic})\ufe0f/u,
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d|\u200d(?!\p{Extended_Pictographic})/u,
  /\r(?!\n)/u,
  /(?![\t\n\r \u200d\ufe0f])[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{1d159}]/u,
]
  .map(({ source }) => source)
  .join('|');
const split = new RegExp(`(${hiddenSource})`, 'u');
const every = new RegExp(hiddenSource, 'gu');

/** The parts in their order; hidden characters are parts of their own. */
export function splitHidden(text: string): TextPart[] {
  return text
    .split(split)
    .map((part, index) => (index % 2 === 1 ? { text: numberOf(part), isHidden: true } : { text: part, isHidden: false }))
    .filter((part) => part.text !== '');
}

/** Hidden characters as `[U+202E]`: for what a person decides about, where nothing can be marked in another way. */
export function showHidden(text: string): string {
  return text.replace(every, (character) => `[${numberOf(character)}]`);
}

/** Hidden characters as escapes of JSON: it means the same, and shows it. @param json a whole document, or what stands in it */
export function escapeHidden(json: string): string {
  return json.replace(every, (character) => Array.from({ length: character.length }, (_, at) => escapeOf(character.charCodeAt(at))).join(''));
}

/** Without hidden characters; other blanks become spaces. For other people's words about what they offer. */
export function stripHidden(text: string): string {
  return text.replace(every, (character) => (/\p{Z}/u.test(character) ? ' ' : ''));
}

function numberOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function escapeOf(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
