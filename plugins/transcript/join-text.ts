// Joins streamed text chunks by their offsets; handles repeated, restarted and missing chunks.

/**
 * Returns the text with the delta applied. A known piece changes nothing; a restarted piece replaces the text from its offset; a piece after a gap is appended,
 * because a partial text is better than none.
 * @param offset offset of the piece in UTF-16 code units
 */
export function joinText(text: string, offset: number, delta: string): string {
  if (offset >= text.length) return text + delta;
  return text.startsWith(delta, offset) ? text : text.slice(0, offset) + delta;
}

/** Returns whether text before the piece is missing. */
export function hasGap(text: string, offset: number): boolean {
  return offset > text.length;
}

/** Joins the output of a running tool from its notes, each of which is a line, or text with its own line breaks. */
export function printedText(notes: readonly string[]): string {
  return notes.reduce((text, note) => `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${note}`, '');
}
