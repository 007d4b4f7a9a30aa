// Checks whether a sentence states nothing beyond its evidence. Pure.
import { eachToken, stopWords } from '#lib/words';

/** Words that a note may add to name its subject. */
const frame: ReadonlySet<string> = new Set(tokensOf('user users owner person people team project workspace repository repo codebase name named called'));
const negations =
  /\b(?:not|no|non|never|none|nobody|nothing|without|cannot|neither|nor|\w+n['’´`ʼ‘]t|(?:ai|are|ca|could|did|do|does|had|has|have|is|must|need|should|was|were|wo|would)nt|dislik\w*|hat(?:e|es|ed)|avoid\w*|against|hardly|barely|rarely|seldom|stop(?:s|ped)?|quit|g[ai]ve up|refus\w*|instead of|except|used to|previously|former(?:ly)?|anymore|any longer|nicht|nie|niemals|kein(?:e[mnrs]?)?|ohne|weder|pas|jamais|aucune?|sans|nunca|ning[uú]n\w*)\b/i;
const question =
  /\?["”')\s]*$|^\W*(?:what if|if only|suppose|imagine|assume|pretend|let['’]s say|maybe|perhaps)\b|\b(?:might|could|i['’]d|i wish|if i (?:were|was|had|lived))\b|\bwould\b(?! (?:like|prefer|rather|love))/i;
/** Matches phrases that introduce another person's statement. */
const reported =
  /\b(?:says?|said|claim(?:s|ed)?|writes?|wrote|tells?|told (?:me|us)|according to|argu(?:es|ed)|suggest(?:s|ed)?|recommend(?:s|ed)|insist(?:s|ed)?|heard|read|sagt|sagte|schreibt|schrieb|meint|meinte|behauptet|laut|selon)(?=[\s,:]|$)/i;
const ownWords = /^\W*(?:i|we|as i) (?:said|say|write|wrote|told you|tell you|claim|insist|recommend|suggest|heard you)\b/i;
/** Matches a speaker label: `Bob: I live in Oslo`, but not `Note: I live in Oslo`. */
const spoken =
  /^\W*(?!(?:Also|Answer|Background|Context|Correction|Edit|FYI|Fact|Important|Info|Me|No|Note|PS|Please|Preference|Remember|Reminder|Update|User|Yes)\b)\p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*)?(?: \([^)\n]*\))?:\s*["“„«]?(?:I|[Ww]e|[Mm]y|[Oo]ur)\b/u;
const explicit =
  /\b(?:remember|note that|keep in mind|don't forget|for the record|from now on|going forward|always|never|in future|actually|correction|i meant|no longer|not any ?more|my (?:name|favou?rite|preferred)|i (?:prefer|always|never|am|was|live|work|use|like|love|hate|want)|i'm|we (?:use|always|never|decided|agreed|prefer|are|deploy|switched|moved)|please (?:always|never|use|call))\b/i;

export interface Support {
  /** Share of the value's words that occur in the evidence, 0 to 1. */
  readonly share: number;
  /** Names, numbers and similar tokens of the value that do not occur in the evidence. */
  readonly foreign: readonly string[];
}

export function tokensOf(text: string): string[] {
  const tokens = new Set<string>();
  // Also skips words whose stem is a stop word.
  eachToken(text, (token) => (stopWords.has(token) ? undefined : tokens.add(token)));
  return [...tokens];
}

/** @param words quoted text with relative days replaced by dates */
export function supportOf(value: string, words: string): Support {
  const known = new Set(tokensOf(words));
  const wanted = tokensOf(value).filter((token) => !frame.has(token));
  const foreign = strongWords(value).filter((word) => !standsIn(word, words));
  return { share: wanted.length === 0 ? 0 : wanted.filter((token) => known.has(token)).length / wanted.length, foreign };
}

/** Returns the names, numbers, paths and addresses of a text, which a note must not invent. */
function strongWords(value: string): string[] {
  const words = value.match(/[\p{L}\p{N}][\p{L}\p{N}./@:_+#-]*/gu) ?? [];
  return words
    .map((word) => word.replace(/(?:[.:/+-]|['’]s)+$/u, ''))
    .filter(
      (word, at) =>
        /[\p{N}@/_#]|\w\.\w/u.test(word) || (at > 0 && /^\p{Lu}/u.test(word) && !frame.has(word.toLowerCase())) || (at === 0 && /^\p{Lu}.*\p{Lu}/u.test(word)),
    );
}

/** Matches whole words: 80 does not match in 8080, nor Ann in Hannah. In scripts without spaces, a match may start and end anywhere. */
function standsIn(word: string, words: string): boolean {
  const letter = '[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{N}]';
  const pattern = word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  return new RegExp(`(?<!${letter}|\\p{N}[.,])${pattern}(?:['’]?s)?(?!${letter}|[.,]\\p{N})`, 'iu').test(words);
}

/** Matches the end of a sentence; a line break before a lower-case letter is only a soft wrap. */
const ends = /(?<!\b(?:e\.g|i\.e|vs|approx|[Mm]rs?|[Mm]s|[Dd]r|[Pp]rof|St))[.!?]["”')]?\s+|\n(?![ \t]*\p{Ll})/gu;
const nextEnd = /(?<!\b(?:e\.g|i\.e|vs|approx|[Mm]rs?|[Mm]s|[Dd]r|[Pp]rof|St))[.!?]["”')]?(?=\s|$)|\n(?![ \t]*\p{Ll})|$/u;

/** Returns the complete sentences around a quote, because a partial sentence may have the opposite meaning. */
export function around(text: string, start: number, end: number): string {
  let from = 0;
  for (const { index, 0: found } of text.matchAll(ends)) {
    if (index + found.length > start) break;
    from = index + found.length;
  }
  const rest = text.slice(end);
  // Does not extend a quote that ends its sentence.
  const to = /[.!?]["”')]?\s*$/.test(text.slice(start, end)) ? end : end + (nextEnd.exec(rest)?.index ?? rest.length) + 1;
  return text.slice(from, to).trim();
}

/** Returns whether one text negates a word that the other text does not negate. */
export function isTurnedAround(value: string, words: string): boolean {
  const isDenied = (text: string): boolean => negations.test(text);
  if (isDenied(value) !== isDenied(words)) return true;
  return clausesOf(value).some((clause) => {
    const near = closest(clause, words);
    return near.length > 0 && near.every((one) => isDenied(one) !== isDenied(clause));
  });
}

export const clausesOf = (text: string): string[] =>
  text.split(/[,;:!?()–—\n]|\.(?=\s|$)|\b(?:and|but|though|although|however|whereas|while|und|aber|mais|pero)\b/i).filter((one) => one.trim() !== '');

/** Returns the clauses that share the most words with a text. */
export function closest(text: string, words: string): string[] {
  const wanted = tokensOf(text).filter((token) => !frame.has(token));
  const counted = clausesOf(words).map((clause) => ({ clause, count: tokensOf(clause).filter((token) => wanted.includes(token)).length }));
  const most = Math.max(1, ...counted.map(({ count }) => count));
  return counted.filter(({ count }) => count === most).map(({ clause }) => clause);
}

const speaker = /\b(?:i|we|ich|wir|je|nous|yo|nosotros)\b|\bj['’]/i;
const firstPerson = /\b(?:me|my|mine|myself|us|our|ours|mich|mir|mein\w*|uns|unser\w*|moi|mon|ma|mes|notre|nos|mi|mis|nuestr\w*)\b/i;
const instruction = /^\W*(?:please|always|never|remember|note|prefer|use|call|don['’]?t|do not|from now on|keep in mind)\b/i;
const whose = /^\W*(?:(?:and|but|so|also|because|yes|no|well|please|remember|note|that)\W+)*(?:my|our)\s+(\p{L}+)/iu;

/** Returns whether the value states a fact about the user that the sentences state about another person: `My sister lives in Oslo`. */
export function isOfOthers(value: string, sentences: readonly string[]): boolean {
  if (!/\busers?\b/i.test(value)) return false;
  const known = new Set(tokensOf(value));
  const isOwn = (clause: string, sentence: string): boolean => {
    if (speaker.test(clause)) return true;
    const things = tokensOf(whose.exec(sentence)?.[1] ?? '');
    if (things.length > 0) return things.some((thing) => known.has(thing) || frame.has(thing));
    return speaker.test(sentence) || firstPerson.test(sentence) || instruction.test(sentence);
  };
  const near = closest(value, sentences.join('\n'));
  return near.length > 0 && !near.some((clause) => sentences.some((sentence) => sentence.includes(clause.trim()) && isOwn(clause, sentence)));
}

export function isNoStatement(sentence: string): boolean {
  return question.test(sentence);
}

export function isReported(sentence: string): boolean {
  return spoken.test(sentence) || (reported.test(sentence) && !ownWords.test(sentence));
}

export function isExplicit(sentence: string): boolean {
  return explicit.test(sentence);
}

/** Returns the share of common words, 0 to 1: `contained` relative to the shorter text, `same` relative to both. */
export function likeness(one: string, other: string): { readonly contained: number; readonly same: number } {
  const [left, right] = [tokensOf(one).filter((token) => !frame.has(token)), tokensOf(other).filter((token) => !frame.has(token))];
  const both = left.filter((token) => right.includes(token)).length;
  const least = Math.min(left.length, right.length);
  const all = left.length + right.length - both;
  return { contained: least === 0 ? 0 : both / least, same: all === 0 ? 0 : both / all };
}
