// Builds an answer of unique words in prose, lists, code, tables and emphasis, so that lost and duplicated words can be counted.

const word = (at: number): string => `w${String(at).padStart(4, '0')}`;

export function longAnswer(words: number): string[] {
  const pieces: string[] = [];
  let at = 0;
  const take = (count: number): string[] => Array.from({ length: count }, () => word(at++));
  for (let block = 0; at < words; block++) {
    const kind = block % 5;
    if (kind === 0) pieces.push(...take(60).map((one) => `${one} `), '\n\n');
    else if (kind === 1) pieces.push(...take(8).flatMap((one, n) => [`- **${one}** `, `${n} of these`, '\n']), '\n');
    else if (kind === 2)
      pieces.push(
        '```ts\n',
        ...take(10).flatMap((one) => [`const ${one} = `, '"a line of code that is longer than a narrow terminal is wide, so that it is wrapped";', '\n']),
        '```\n\n',
      );
    else if (kind === 3) pieces.push('| a | b |\n|---|---|\n', ...take(6).map((one) => `| ${one} | x |\n`), '\n');
    else pieces.push(...take(40).map((one, n) => (n % 7 === 0 ? `*${one}* ` : `${one} `)), '\n\n');
  }
  return pieces;
}

/** Returns the words that are missing in `text` and those that occur more than once. */
export function countWords(pieces: readonly string[], text: string): { readonly lost: string[]; readonly doubled: string[] } {
  const counts = new Map<string, number>();
  for (const [one] of text.matchAll(/w\d{4}/g)) counts.set(one, (counts.get(one) ?? 0) + 1);
  const words = [...pieces.join('').matchAll(/w\d{4}/g)].map(String);
  return { lost: words.filter((one) => !counts.has(one)), doubled: words.filter((one) => (counts.get(one) ?? 0) > 1) };
}
