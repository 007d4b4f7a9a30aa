// One line of a log or a terminal for a text that anybody may have written.
import { showHidden } from './hidden-text.ts';

/** Printable ASCII needs no look at the tables of Unicode, which take megabytes of memory. */
const isPlain = /^[ -~]*$/;

/** Line breaks and tabs as `\n` and `\t`, hidden and control characters as `[U+001B]`. */
export function logLine(text: string): string {
  if (isPlain.test(text)) return text;
  return showHidden(text.replace(/\r?\n/g, '\\n').replaceAll('\t', '\\t'));
}
