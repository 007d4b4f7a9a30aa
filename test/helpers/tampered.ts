/** The same text with one character changed, the one in the middle unless told. It never is what it was, whatever random character stands there. */
export const tampered = (text: string, at = text.length >> 1): string => text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
