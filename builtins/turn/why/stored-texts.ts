// Manages the plugins that store texts outside the conversation and the memory, and checks which recorded sources still apply.
import type { PointHandler } from 'agent-harness/kernel';
import { squeeze } from '#lib/squeeze';
import type { KeptText, KeptTexts } from './contract.ts';
import type { DerivedRow } from './derived-notes.ts';

/** Minimum number of consecutive letters and digits that must be equal; shorter matches are ignored. */
export const shortestRun = 20;

export interface StoredTexts {
  readonly point: PointHandler<KeptTexts>;
  get(name: string): KeptTexts | undefined;
}

export function createStoredTexts(): StoredTexts {
  const kept = new Map<string, KeptTexts>();
  return {
    point: {
      validate: ({ name }) => (kept.has(name) ? `the name '${name}' is already used by another kept_texts contribution.` : undefined),
      added: (one) => void kept.set(one.name, one),
      removed: ({ name }) => void kept.delete(name),
    },
    get: (name) => kept.get(name),
  };
}

/** Returns the row with only those sources whose words the text still contains; `undefined` if no words are left. */
export function stillIn(row: DerivedRow, { text }: Pick<KeptText, 'text'>): DerivedRow | undefined {
  const now = squeeze(text);
  const stands = (words: string): boolean => holdsRunOf(now, squeeze(words));
  const sources = row.sources.filter(({ quote }) => quote === undefined || stands(quote));
  const words = [row.words, ...row.sources.map(({ quote }) => quote)].filter((one) => one !== undefined);
  return words.length === 0 || words.some(stands) ? { ...row, sources } : undefined;
}

/**
 * Returns whether a long enough sequence of the words occurs in the text. @param whole text normalized by `squeeze` @param words words normalized by `squeeze`
 */
function holdsRunOf(whole: string, words: string): boolean {
  if (words.length <= shortestRun) return whole.includes(words);
  for (let at = 0; at + shortestRun <= words.length; at++) if (whole.includes(words.slice(at, at + shortestRun))) return true;
  return false;
}
