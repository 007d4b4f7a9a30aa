// Characters that hide or reorder what a person judges are told apart from the others. Pure.
export interface TextPart {
  readonly text: string;
  readonly isHidden: boolean;
}

/** Control characters except tab and line feed, marks of reading direction, spaces without width, tags. */
const hidden = /([\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}])/u;

/** Hidden characters come as `U+202E`. */
export function splitHidden(text: string): TextPart[] {
  return text
    .split(hidden)
    .map((part, index) => (index % 2 === 1 ? { text: nameOf(part), isHidden: true } : { text: part, isHidden: false }))
    .filter((part) => part.text !== '');
}

function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
