// Converts third-party text to one line for a log or a terminal.
import { showHidden } from './hidden-text.ts';

/** Matches printable ASCII, for which the Unicode patterns are not needed; these patterns take megabytes of memory. */
const isPlain = /^[ -~]*$/;

/** Returns the text on one line: line breaks and tabs as `\n` and `\t`, hidden and control characters as `[U+001B]`. */
export function logLine(text: string): string {
  if (isPlain.test(text)) return text;
  return showHidden(text.replace(/\r?\n/g, '\\n').replaceAll('\t', '\\t'));
}
