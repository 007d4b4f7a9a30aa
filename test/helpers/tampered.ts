/** Changes one character, by default the middle one. The result always differs from the input. */
export const tampered = (text: string, at = text.length >> 1): string => text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
