// Detects how a user relates to a thing: has, uses, likes, wants or needs it. Pure.
import { clausesOf, closest, isTurnedAround, likeness } from './support.ts';

/** Minimum share of common words, from 0 to 1, at which two texts count as equal. */
export const sameText = 0.9;

/** Verbs of each relation; search treats them as stop words. */
const stances: readonly (readonly [name: string, said: RegExp, meant?: RegExp])[] = [
  ['use', /\b(?:us(?:e|es|ed|ing)|benutz\w*|verwend\w*)\b/i],
  // Possessives imply “has”.
  ['have', /\b(?:ha(?:ve|s|d|ving)|hab(?:e|en|t)|hat)\b|\w['’](?:ve|s)\b/i, /\b(?:my|our|mine|ours|own\w*|with|got|mein\w*|unser\w*)\b/i],
  ['like', /\blik(?:e|es|ed|ing)\b/i, /\b(?:lov\w+|prefer\w*|enjoy\w*|fan of|favou?rite|mag|gern\w*)\b/i],
  ['want', /\bwant(?:s|ed)?\b/i, /\b(?:please|like|prefer\w*|wish\w*|will|möchte\w*)\b/i],
  ['need', /\bneed(?:s|ed)?\b/i, /\b(?:must|ha(?:ve|s) to|requir\w*|brauch\w*)\b/i],
];
/** Matches expressions of a wish; a wish is not a fact. */
const wish =
  /\b(?:want(?:s|ed)?|need(?:s|ed)?|wish(?:es|ed)?|hop(?:e|es|ed|ing) (?:to|for|that)|plan(?:s|ned|ning)? (?:to|on|for)|consider(?:s|ed|ing)?|think(?:ing)? (?:of|about)|möchte\w*|will ich|wollen|brauch\w*|veux|voudr\w*|quier\w*|quisier\w*)\b|(?:\bwould|['’]d) (?:like|love|prefer) to\b/i;
const wanted = /\b(?:lik(?:e|es|ed)|lov(?:e|es|ed)|prefer(?:s|red)?|plan(?:s|ned)?|intend(?:s|ed)?|require[sd]?)\b/i;

/** Returns whether the value states a wish as a fact. */
export function isOnlyWished(value: string, words: string): boolean {
  if (wish.test(value) || wanted.test(value)) return false;
  return clausesOf(value).some((clause) => {
    const near = closest(clause, words);
    return near.length > 0 && near.every((one) => wish.test(one));
  });
}

/** Returns whether the value states a different relation (“uses”, “has”, “likes”, “wants”, “needs”) from the one in the words. */
export function hasOtherStance(value: string, words: string): boolean {
  const near = closest(value, words).join('\n');
  if (!stances.some(([, said]) => said.test(near))) return false;
  return stances.some(([, said, meant]) => said.test(withoutEndings(value)) && !said.test(near) && !meant?.test(words));
}

/** Removes the possessive `’s`. */
const withoutEndings = (value: string): string => value.replace(/['’]s\b/g, '');

/** Returns whether two notes make the same statement. */
export function saysSame(one: string, other: string): boolean {
  return likeness(one, other).same >= sameText && !isTurnedAround(one, other) && stanceOf(one) === stanceOf(other);
}

const stanceOf = (text: string): string =>
  stances
    .filter(([, said]) => said.test(withoutEndings(text)))
    .map(([name]) => name)
    .join(' ');
