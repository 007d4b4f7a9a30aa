// Converts third-party text to one line for a log or a terminal.
import { showHidden } from './hidden-text.ts';

/** Printable ASCII avoids the Unicode patterns, which take megabytes of memory. */
const isPlain = /^[ -~]*$/;

/** Shows line breaks and tabs as `\n` and `\t`, hidden and control characters as `[U+001B]`. */
export function logLine(text: string): string {
  if (isPlain.test(text)) return text;
  return showHidden(text.replace(/\r?\n/g, '\\n').replaceAll('\t', '\\t'));
}
