// Text that comes in pieces with offsets: the one answer to pieces that repeat, restart or are missing.

/**
 * The text with the delta in its place. What is known already changes nothing; a piece that restarts replaces what stands from its
 * offset on; one behind a gap goes to the end, since the rest is worth more than nothing.
 * @param offset UTF-16 units
 */
export function joinText(text: string, offset: number, delta: string): string {
  if (offset >= text.length) return text + delta;
  return text.startsWith(delta, offset) ? text : text.slice(0, offset) + delta;
}

/** Whether something before the piece is missing. */
export function hasGap(text: string, offset: number): boolean {
  return offset > text.length;
}

/** What a running tool printed, from its notes: each is a line, or text that has its own line breaks. */
export function printedText(notes: readonly string[]): string {
  return notes.reduce((text, note) => `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${note}`, '');
}
