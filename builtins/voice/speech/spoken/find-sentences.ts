// Finds the ends of sentences in Markdown. Uses only the text before an end, so that the result does not depend on how the text is split into chunks.

/** Abbreviations that never end a sentence. */
const titles: ReadonlySet<string> = new Set(
  ['mr', 'mrs', 'ms', 'dr', 'prof', 'st', 'vs', 'e.g', 'eg', 'i.e', 'ie', 'cf', 'approx', 'fig', 'figs', 'eq', 'sec', 'ch', 'vol', 'pp', 'ed', 'eds', 'dept', 'gen', 'col', 'sgt', 'capt', 'lt', 'rev', 'hon', 'bzw', 'ca', 'z.b', 'd.h', 'u.a', 'evtl', 'ggf', 'inkl', 'nr', 'str', 'mme', 'sra'], // prettier-ignore
);
/** Abbreviations that end a sentence only if a capital letter follows. */
const perhaps: ReadonlySet<string> = new Set(
  ['etc', 'al', 'inc', 'ltd', 'co', 'corp', 'jr', 'sr', 'no', 'nos', 'p', 'a.m', 'p.m', 'u.s', 'u.k', 'e.u', 'ph.d', 'est', 'max', 'min', 'usw', 'jan', 'feb', 'mar', 'apr', 'jun', 'jul', 'aug', 'sep', 'sept', 'oct', 'nov', 'dec', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], // prettier-ignore
);

/** Sentence-ending characters, followed by closing characters and spaces; scripts without spaces need no space. */
const ends =
  /(?:[.!?\u2026]+|(?:(?![.!?\u2026])\p{Sentence_Terminal})+)["'\u2019\u201d\u00bb\u300d\u300f\uff09)\]*_~]*(\s+|(?<=[\u3002\uff01\uff1f\uff61]["'\u2019\u201d\u00bb\u300d\u300f\uff09)\]*_~]*)(?=[^"'\u2019\u201d\u00bb\u300d\u300f\uff09)\]*_~]))/gu;
/** Elements that may contain dots: code, link targets, addresses, formulas, tags. */
const wholes =
  /(`+)(?!`)(?:(?!\1(?!`))[\s\S])+?\1(?!`)|\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+"[^"]*")?\)|\\\([\s\S]+?\\\)|\$\$[\s\S]+?\$\$|\$(?=[^\s$])[^$\n]*[\\^_=][^$\n]*\$|https?:\/\/[^\s<>)]*[^\s<>).,!?;:'"*]|<[a-z/!][^>\n]*>/giu;
/** Beginnings of such elements that have no end yet. */
const openings = /`|\]\(|\\\(/;
/** Maximum length of an unfinished element; a longer text is not treated as one. */
const longestOpen = 300;
/** Number of characters examined after an end. */
const longestNext = 8;
const lastWord = /([\p{L}\p{N}.]*?)([.!?\u2026]+|\p{Sentence_Terminal}+)(["'\u2019\u201d\u00bb\u300d\u300f\uff09)\]*_~]*)$/u;

/** Returns whether a text may contain the end of a sentence; a cheap check for each chunk. */
export function mayEnd(piece: string): boolean {
  return /[\s\u3002\uff01\uff1f\uff61]/.test(piece);
}

/** Returns the offsets after complete sentences, in order. */
export function findEnds(text: string): number[] {
  const plain = text.replace(wholes, (whole) => 'x'.repeat(whole.length));
  const open = plain.search(openings);
  const limit = open === -1 || plain.length - open > longestOpen ? plain.length : open;
  const found: number[] = [];
  let start = 0;
  for (const match of plain.matchAll(ends)) {
    const end = match.index + match[0].length;
    if (end > limit) break;
    const decided = isEnd(plain.slice(start, match.index + match[0].trimEnd().length), text.slice(end, end + longestNext));
    if (decided === undefined) break;
    if (!decided) continue;
    found.push(end);
    start = end;
  }
  return found;
}

/** Returns whether a sentence ends there; `undefined` if that depends on text that has not arrived yet. */
function isEnd(sentence: string, next: string): boolean | undefined {
  const [, word = '', sign = '', closing = ''] = lastWord.exec(sentence) ?? [];
  const isFull = sign === '.';
  // A leading number, such as that of a list item inside a paragraph.
  if (isFull && /^\d{1,3}$/.test(word) && sentence.trim() === `${word}.`) return false;
  const name = word.toLowerCase();
  if (isFull && titles.has(name)) return false;
  const isInitial = isFull && /^\p{Lu}$/u.test(word);
  const isQuoted = !isFull && /["'\u2019\u201d\u00bb]/.test(closing);
  const isUnsure = isInitial || isQuoted || (isFull ? perhaps.has(name) || /^(?:\p{L}\.)+\p{L}$/u.test(word) : /^(?:\.{2,}|\u2026)$/.test(sign));
  if (!isUnsure) return true;
  const first = /^["'\u2018\u201c\u00ab([*_~`]*([^"'\u2018\u201c\u00ab([*_~`])/u.exec(next)?.[1];
  if (first === undefined) return next.length < longestNext ? undefined : true;
  // An initial that precedes a name.
  return isInitial ? false : !/[\p{Ll}\p{N},;:]/u.test(first);
}
