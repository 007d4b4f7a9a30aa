// Parses elements of plain language for the demo model: file names, quotes, keys.

/** Pattern for a file name in running text: quoted, a token with a dot or a slash, or a well-known name. Has one capture group. */
export const fileToken = '("[^"\\n]+"|\'[^\'\\n]+\'|`[^`\\n]+`|(?:[\\w@~+-]*[./])+[\\w@~+*-]+\\/?|[\\w-]+\\/|README|LICENSE|CHANGELOG|Makefile|Dockerfile)';

/** Removes polite phrases, list markers and a closing full stop. */
export function trimRequest(text: string): string {
  let rest = text.trim();
  for (let before = ''; before !== rest;) {
    before = rest;
    rest = rest.replace(
      /^(?:[-*•]\s+|\d+[.)]\s+|(?:please|kindly|now|also|and|then|plus|first|firstly|next|finally|lastly|just|ok(?:ay)?|hi|hello|hey)\b[,:]?\s+|(?:can|could|would|will) you\s+|i(?: would|'d) like you to\s+)/i,
      '',
    );
  }
  return rest.replace(/[\s.!?,;]+$/, (end) => (/[)\]]$/.test(end) ? end : '')).replace(/\s+please$/i, '');
}

export function unquote(text: string): string {
  const trimmed = text.trim();
  const quoted = /^(?:"([\s\S]*)"|'([\s\S]*)'|`([\s\S]*)`|“([\s\S]*)”|‘([\s\S]*)’)$/.exec(trimmed);
  return quoted ? (quoted.slice(1).find((group) => group !== undefined) ?? '') : trimmed;
}

/** Converts text to a key of at most five words: `My favourite colour` → `favourite-colour`. */
export function toKey(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const telling = words.filter((word) => !/^(?:my|the|a|an|i|your|our|that)$/.test(word));
  return (telling.length > 0 ? telling : words).slice(0, 5).join('-') || 'note';
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
