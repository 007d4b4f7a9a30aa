// Shortening of texts. Pure.

/** A surrogate pair stays together. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, Math.max(0, length - 1)).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The beginning of a text on one line, without control characters. */
export function flatten(text: string, length: number): string {
  // Far more than is shown is looked at, since white space goes.
  const start = text.slice(0, length * 4);
  return cut(
    start
      .replace(/[\u0000-\u001f\u007f]+/g, ' ')
      .replace(/ {2,}/g, ' ')
      .trim(),
    length,
  );
}

/** Beginning and end of a text. */
export function cutMiddle(text: string, length: number, note: string): string {
  const half = Math.max(0, Math.floor((length - note.length) / 2));
  return `${text.slice(0, half).replace(/[\ud800-\udbff]$/, '')}${note}${text.slice(-half).replace(/^[\udc00-\udfff]/, '')}`;
}
