// Builds the profile of an agent from a sentence: with fixed rules, or from a model's response.
import { stripHidden } from '#lib/hidden-text';
import { oneLine } from '#lib/text';
import { isRecord } from '#lib/values';
import type { PersonaProfile } from '../contract.ts';
import { whyUnsafe } from './unsafe-text.ts';

const limits = { label: 40, name: 40, summary: 200, trait: 30, address: 40 };
const mostTraits = 6;

/** English and German words that indicate each value; an approximation. */
const verbosities = [
  ['brief', /\b(?:brief|short|concise|terse|laconic|to the point|few words|kurz|knapp|bündig|wortkarg)/i],
  ['detailed', /\b(?:detailed|thorough|verbose|long|explains? everything|in depth|ausführlich|gründlich)/i],
] as const;
const humors = [
  ['playful', /\b(?:funny|witty|playful|silly|jok(?:e|es|ing)|pirate|cheeky|humou?r(?:ous)?|lustig|witzig|frech|verspielt)/i],
  ['light', /\b(?:dry|warm|friendly|charming|sarcastic|ironic|trocken|freundlich|herzlich)/i],
] as const;
const formalities = [
  ['formal', /\b(?:formal|polite|professional|butler|courteous|serious|förmlich|höflich|sachlich)/i],
  ['casual', /\b(?:casual|relaxed|informal|buddy|friend|chill|pirate|locker|kumpel|entspannt)/i],
] as const;
const traitWords =
  /\b(?:brief|short|concise|terse|dry|warm|friendly|funny|witty|playful|calm|curious|honest|blunt|direct|patient|precise|careful|cheerful|sarcastic|gentle|strict|polite|formal|casual|encouraging|critical|thorough|kurz|knapp|trocken|warm|freundlich|witzig|ruhig|neugierig|ehrlich|direkt|geduldig|genau|höflich|streng)\b/gi;
const named = /\b(?:named|called|call yourself|your name is|name is|du heißt|heiße|namens|nenn dich)\s+["“„']?(\p{Lu}[\p{L}\d'-]{0,30})/u;
const addressed = /\b(?:calls? me|address me as|nenn mich)\s+["“„']?(\p{L}[\p{L}\d'-]{0,30})/iu;
const languages = [
  ['de', /\b(?:german|deutsch|auf deutsch)\b/i],
  ['fr', /\b(?:french|français|en français)\b/i],
  ['es', /\b(?:spanish|español|en español)\b/i],
  ['en', /\b(?:english|englisch)\b/i],
] as const;

/** Derives a profile from the words of a sentence; equal sentences yield equal profiles. */
export function profileByRules(input: string): PersonaProfile {
  const text = oneLine(stripHidden(input), 2_000);
  const name = named.exec(text)?.[1] ?? '';
  const traits = [...new Set([...text.matchAll(traitWords)].map(([word]) => word.toLowerCase()))].slice(0, mostTraits);
  const isQuotable = whyUnsafe(text) === undefined;
  return {
    label: name || (isQuotable ? firstClause(text) : '') || oneLine(traits.slice(0, 3).join(', '), limits.label) || 'Own character',
    name,
    summary: isQuotable ? oneLine(text, limits.summary) : '',
    traits,
    verbosity: pick(verbosities, text) ?? 'balanced',
    humor: pick(humors, text) ?? 'none',
    formality: pick(formalities, text) ?? 'neutral',
    language: pick(languages, text) ?? '',
    address: addressed.exec(text)?.[1] ?? '',
  };
}

/** Parses a model's response; rules fill in missing and invalid fields. Returns `undefined` if no field is usable. */
export function profileIn(answer: unknown, byRules: PersonaProfile): PersonaProfile | undefined {
  if (!isRecord(answer)) return undefined;
  const label = plain(answer['label'], limits.label);
  const summary = plain(answer['summary'], limits.summary);
  if (!label && !summary) return undefined;
  const traits = Array.isArray(answer['traits']) ? answer['traits'].flatMap((one) => plain(one, limits.trait) ?? []).slice(0, mostTraits) : byRules.traits;
  const language = answer['language'];
  return {
    label: label ?? byRules.label,
    name: plain(answer['name'], limits.name) ?? byRules.name,
    summary: summary ?? byRules.summary,
    traits,
    verbosity: choiceOf(answer['verbosity'], ['brief', 'balanced', 'detailed']) ?? byRules.verbosity,
    humor: choiceOf(answer['humor'], ['none', 'light', 'playful']) ?? byRules.humor,
    formality: choiceOf(answer['formality'], ['casual', 'neutral', 'formal']) ?? byRules.formality,
    language: typeof language === 'string' && /^(?:[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)?$/.test(language) ? language : byRules.language,
    address: plain(answer['address'], limits.address) ?? byRules.address,
  };
}

/** Returns the first clause; an empty text if the clause is too long for a label. */
function firstClause(text: string): string {
  const [clause = ''] = text.split(/[,.;:!?–—]/);
  return clause.trim().length <= limits.label ? clause.trim() : '';
}

function plain(value: unknown, length: number): string | undefined {
  if (typeof value !== 'string' || value.length > 20 * length) return undefined;
  const text = oneLine(stripHidden(value), length);
  return text === '' || whyUnsafe(text) !== undefined ? undefined : text;
}

function choiceOf<T extends string>(value: unknown, values: readonly T[]): T | undefined {
  return values.find((one) => one === value);
}

function pick<T extends string>(table: readonly (readonly [T, RegExp])[], text: string): T | undefined {
  return table.find(([, pattern]) => pattern.test(text))?.[0];
}
