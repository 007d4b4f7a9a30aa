// Splits text into words for the search index and for measuring similarity.

const runs = /[\p{L}\p{M}\p{N}_]+/gu;
const asciiRuns = /[a-z0-9_]+/g;
const ascii = /^[\u0000-\u007f]*$/;
/** Matches scripts without spaces between words; their text is split into bigrams. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const maxWordLength = 64;

/** Maximum count of a word per text; higher counts add little information at the same cost. */
const maxRepeats = 3;

/** Returns the words for the index: {@link wordsOf} with a limit on repetitions. */
export function indexWordsOf(text: string): string[] {
  const counts = new Map<string, number>();
  return wordsOf(text).filter((word) => {
    const count = (counts.get(word) ?? 0) + 1;
    counts.set(word, count);
    return count <= maxRepeats;
  });
}

/** Returns the words in lower case, without strings that are too long to be words. */
export function wordsOf(text: string): string[] {
  // Fast path for ASCII texts.
  if (ascii.test(text)) return (text.toLowerCase().match(asciiRuns) ?? []).filter(isWord);
  const words: string[] = [];
  for (const run of text.normalize('NFKC').toLowerCase().match(runs) ?? []) {
    if (!unspaced.test(run)) words.push(run);
    else words.push(...pairsOf(run));
  }
  return words.filter(isWord);
}

function isWord(word: string): boolean {
  return word.length <= maxWordLength;
}

/** Returns the bigrams of a text, followed by the last character alone, so that each character begins a word. */
function pairsOf(run: string): string[] {
  const characters = [...run];
  return characters.map((character, index) => `${character}${characters[index + 1] ?? ''}`);
}
