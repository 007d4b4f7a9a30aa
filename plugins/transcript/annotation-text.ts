// Describes changed annotations of a chat entry that is already displayed.
import { oneLine } from '#lib/text';
import { callText } from './call-text.ts';
import type { Entry } from './state.ts';

const longestWords = 60;

/** Returns one line for each change. @param was the labels announced before @param is the current labels */
export function annotationChangeTexts(entry: Entry, was: readonly string[], is: readonly string[]): string[] {
  const words = entry.kind === 'tool' ? oneLine(`${entry.name} ${callText(entry)}`, longestWords) : `“${oneLine(entry.text, longestWords)}”`;
  const came = is.filter((label) => !was.includes(label)).map((label) => `${label}: ${words}`);
  const went = was.filter((label) => !is.includes(label)).map((label) => `No longer ‘${label}’: ${words}`);
  return [...came, ...went];
}
