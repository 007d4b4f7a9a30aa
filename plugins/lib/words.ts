// Splits text into search words for notes: in lower case, without accents and endings; as bigrams in scripts without spaces.

/** Frequent English words that searches ignore. */
export const stopWords: ReadonlySet<string> = new Set(
  (
    'a about after all also am an and any are as at be been but by can could did do does done for from get give go had has have he her here him his how i if in ' +
    'into is it its just let like make may me might more most much my need no not now of on one only or our out over please put s same say see she should show ' +
    'so some such t take tell than that the their them then there these they this those to too up us use very want was way we well were what when where which ' +
    'while who why will with would yes you your'
  ).split(' '),
);
const scriptsWithoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** Maximum length of a word in UTF-16 code units; longer runs are hashes and encoded bytes. */
export const maxWordLength = 48;

/** Calls `take` for each word, in order, including repeated words. */
export function eachToken(text: string, take: (token: string) => void): void {
  let start = -1;
  let isPlain = true;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    const isUpper = code >= 65 && code <= 90;
    const isWord = isUpper || (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code > 127;
    const isHump = isUpper && start !== -1 && isLower(text.charCodeAt(at - 1));
    if (isWord && !isHump) {
      if (start === -1) start = at;
      if (code > 127) isPlain = false;
      continue;
    }
    if (start !== -1) {
      if (isPlain) takeWord(text.slice(start, at).toLowerCase(), take);
      else takeForeign(text.slice(start, at), take);
    }
    start = isHump ? at : -1;
    isPlain = true;
  }
}

function isLower(code: number): boolean {
  return code >= 97 && code <= 122;
}

function takeWord(word: string, take: (token: string) => void): void {
  if (word.length > maxWordLength || stopWords.has(word)) return;
  take(stem(word));
}

/** Splits a run that contains non-ASCII characters: letters of any script, possibly with punctuation in between. */
function takeForeign(run: string, take: (token: string) => void): void {
  const plain = run
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  for (const [word] of plain.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (!scriptsWithoutSpaces.test(word)) {
      takeWord(word, take);
      continue;
    }
    const signs = [...word];
    if (signs.length === 1) take(word);
    for (let at = 0; at + 1 < signs.length; at++) take(`${signs[at]}${signs[at + 1]}`);
  }
}

/** Removes English plural and verb endings. The result need not be a word, because notes and queries are reduced in the same way. */
function stem(word: string): string {
  if (word.length < 4) return word;
  let root = word;
  if (root.endsWith('ies') && root.length > 4) root = `${root.slice(0, -3)}y`;
  else if (root.endsWith('s') && !root.endsWith('ss') && !root.endsWith('us') && !root.endsWith('is')) root = root.slice(0, -1);
  if (root.endsWith('ing') && root.length > 5) root = undouble(root.slice(0, -3));
  else if (root.endsWith('ed') && root.length > 4) root = undouble(root.slice(0, -2));
  return root.endsWith('e') && root.length > 4 ? root.slice(0, -1) : root;
}

function undouble(root: string): string {
  const last = root.at(-1);
  return last === root.at(-2) && last !== 'l' && last !== 's' && last !== 'e' ? root.slice(0, -1) : root;
}
