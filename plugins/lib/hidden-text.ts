// Finds and displays characters that hide, reorder or blank out text. Also runs in browsers. A separate module, because its patterns load five megabytes of
// Unicode tables into memory.

/** A part of a text. `code` is set for a hidden character, such as `U+202E`. */
export interface TextPart {
  readonly text: string;
  readonly isHidden: boolean;
}

/**
 * Matches control and format characters (reading direction, zero width, tags), unpaired surrogates, default ignorable characters (fillers, variation
 * selectors), all blanks except the space, and characters without a glyph. Does not match tabs, line feeds, Windows line endings, or joiners and selectors
 * inside an emoji.
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

/** Returns the parts in order; each hidden character is a separate part. */
export function splitHidden(text: string): TextPart[] {
  return text
    .split(split)
    .map((part, index) => (index % 2 === 1 ? { text: numberOf(part), isHidden: true } : { text: part, isHidden: false }))
    .filter((part) => part.text !== '');
}

/** Replaces hidden characters with `[U+202E]`, for texts that a user reviews where highlighting is not possible. */
export function showHidden(text: string): string {
  return text.replace(every, (character) => `[${numberOf(character)}]`);
}

/** Replaces hidden characters with JSON escape sequences, which have the same meaning. @param json a whole JSON document, or part of one */
export function escapeHidden(json: string): string {
  return json.replace(every, (character) => Array.from({ length: character.length }, (_, at) => escapeOf(character.charCodeAt(at))).join(''));
}

/** Removes hidden characters; other white space becomes spaces. For third-party descriptions. */
export function stripHidden(text: string): string {
  return text.replace(every, (character) => (/\p{Z}/u.test(character) ? ' ' : ''));
}

function numberOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function escapeOf(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
