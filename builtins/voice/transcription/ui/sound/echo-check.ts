// Checks whether the recognised text only repeats what the page itself has just said. Pure.

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/**
 * Returns whether the recognised text repeats the page's own speech. @param spoken texts that the page spoke during the recording of the clip, and shortly
 * before it
 */
export function isEcho(heard: string, spoken: string): boolean {
  const words = wordsOf(heard);
  return words.length > 0 && ` ${wordsOf(spoken).join(' ')} `.includes(` ${words.join(' ')} `);
}
