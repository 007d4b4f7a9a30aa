// Whether a sentence says what the words say that it rests on, and nothing beyond them. Pure.
import { eachToken, emptyWords } from 'agent-harness/lib/words';

/** Words that a note may have of its own: whom it is about. */
const frame: ReadonlySet<string> = new Set(tokensOf('user users owner person people team project workspace repository repo codebase name named called'));
const negations =
  /\b(?:not|no|never|none|nothing|without|cannot|neither|nor|\w+n['’]t|dislik\w*|hat(?:e|es|ed)|avoid\w*|stop(?:s|ped)?|quit|refus\w*|instead of|except|former(?:ly)?|anymore|any longer)\b/i;
const question =
  /\?["”')\s]*$|^\W*(?:what if|suppose|imagine|assume|let['’]s say|maybe|perhaps)\b|\b(?:might|could|i['’]d)\b|\bwould\b(?! (?:like|prefer|rather|love))/i;
/** Somebody else says it, and the user only tells of it. */
const reported =
  /\b(?:says?|said|claim(?:s|ed)?|writes?|wrote|tells?|told (?:me|us)|according to|argu(?:es|ed)|suggest(?:s|ed)?|recommend(?:s|ed)|insist(?:s|ed)?|heard|read) (?:that|to|on|in|from|somewhere|the)?\b/i;
const ownWords = /^\W*(?:i|we|as i) (?:said|say|told you|tell you|wrote|claim|insist|recommend|suggest|heard you)\b/i;
const explicit =
  /\b(?:remember|note that|keep in mind|don't forget|for the record|from now on|going forward|always|never|in future|actually|correction|i meant|no longer|not any ?more|my (?:name|favou?rite|preferred)|i (?:prefer|always|never|am|was|live|work|use|like|love|hate|want)|i'm|we (?:use|always|never|decided|agreed|prefer|are|deploy|switched|moved)|please (?:always|never|use|call))\b/i;

export interface Support {
  /** 0 to 1: how much of what it says stands in the words. */
  readonly share: number;
  /** Names, numbers and the like that the words do not have. */
  readonly foreign: readonly string[];
}

export function tokensOf(text: string): string[] {
  const tokens = new Set<string>();
  // The ending of a word that says nothing made it look like one that does.
  eachToken(text, (token) => (emptyWords.has(token) ? undefined : tokens.add(token)));
  return [...tokens];
}

/** @param words what was said, with its dates worked out */
export function supportOf(value: string, words: string): Support {
  const known = new Set(tokensOf(words));
  const wanted = tokensOf(value).filter((token) => !frame.has(token));
  const lower = words.toLowerCase();
  const foreign = strongWords(value).filter((word) => !lower.includes(word.toLowerCase()));
  return { share: wanted.length === 0 ? 0 : wanted.filter((token) => known.has(token)).length / wanted.length, foreign };
}

/** Names, numbers, paths, addresses: what may not be made up. */
function strongWords(value: string): string[] {
  const words = value.match(/[\p{L}\p{N}][\p{L}\p{N}./@:_+#-]*/gu) ?? [];
  return words
    .map((word) => word.replace(/(?:[.:/+-]|['’]s)+$/u, ''))
    .filter(
      (word, at) =>
        /[\p{N}@/_#]|\w\.\w/u.test(word) || (at > 0 && /^\p{Lu}/u.test(word) && !frame.has(word.toLowerCase())) || (at === 0 && /^\p{Lu}.*\p{Lu}/u.test(word)),
    );
}

/** The sentences that a quote stands in: cut out of one, it may say the opposite. */
export function around(text: string, start: number, end: number): string {
  const before = text.slice(0, start);
  const from = Math.max(0, ...[...before.matchAll(/[.!?]["”')]?\s+|\n/g)].map((found) => found.index + found[0].length));
  const rest = text.slice(end);
  // A quote that ends its sentence goes no further.
  const to = /[.!?]["”')]?\s*$/.test(text.slice(start, end)) ? end : end + (/[.!?]["”')]?(?=\s|$)|\n|$/.exec(rest)?.index ?? rest.length) + 1;
  return text.slice(from, to).trim();
}

/** One denies something, and the other does not. */
export function isTurnedAround(value: string, words: string): boolean {
  return negations.test(value) !== negations.test(words);
}

export function isNoStatement(sentence: string): boolean {
  return question.test(sentence);
}

export function isReported(sentence: string): boolean {
  return reported.test(sentence) && !ownWords.test(sentence);
}

export function isExplicit(sentence: string): boolean {
  return explicit.test(sentence);
}

/** 0 to 1: how much the shorter one of two texts has in common with the other, in words. */
export function likeness(one: string, other: string): { readonly contained: number; readonly same: number } {
  const [left, right] = [tokensOf(one).filter((token) => !frame.has(token)), tokensOf(other).filter((token) => !frame.has(token))];
  const both = left.filter((token) => right.includes(token)).length;
  const least = Math.min(left.length, right.length);
  const all = left.length + right.length - both;
  return { contained: least === 0 ? 0 : both / least, same: all === 0 ? 0 : both / all };
}
