// What is said of marks that came to an entry, or went, where the entry itself is written already.
import { oneLine } from 'agent-harness/lib/text';
import { callText } from './call-text.ts';
import type { Entry } from './state.ts';

const longestWords = 60;

/** One line for each. @param was its labels when somebody was last told of them @param is its labels now */
export function markChangeTexts(entry: Entry, was: readonly string[], is: readonly string[]): string[] {
  const words = entry.kind === 'tool' ? oneLine(`${entry.name} ${callText(entry)}`, longestWords) : `“${oneLine(entry.text, longestWords)}”`;
  const came = is.filter((label) => !was.includes(label)).map((label) => `${label}: ${words}`);
  const went = was.filter((label) => !is.includes(label)).map((label) => `No longer ‘${label}’: ${words}`);
  return [...came, ...went];
}
