// Ranks notes of several files by relevance (BM25, weighted by age and confidence), and fuses rankings.
import type { RankedIndex, WeightedTerm } from './note-index.ts';
import { eachToken } from '#lib/words';

/** Time in milliseconds after which an unchanged note has half the weight. */
const halfLifeMs = 90 * 86_400_000;
/** Maximum share of a score that age removes. Of two equal matches, the newer one comes first. */
const recencyShare = 0.1;
/** Maximum number of a query's rarest words that are used; using more would take time and change little. */
const maxTerms = 32;
/** Constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009). */
const fusionK = 60;

export interface Ranked<T> {
  readonly item: T;
  readonly score: number;
}

export interface RankSource<T> {
  readonly index: RankedIndex;
  /** Returns an item; `undefined` excludes the note. `confidence`: 0 to 1. */
  find(id: string): { readonly item: T; readonly confidence: number } | undefined;
}

/**
 * Returns the best items first.
 * @param now milliseconds since 1970
 * @param termLimit maximum number of the query's rarest words that are used
 */
export function rankByWords<T>(query: string, sources: readonly RankSource<T>[], limit: number, now: number, termLimit = maxTerms): Ranked<T>[] {
  const terms = weigh(query, sources).slice(0, termLimit);
  if (terms.length === 0) return [];
  const words = sources.reduce((sum, { index }) => ({ total: sum.total + index.words.total, notes: sum.notes + index.words.notes }), { total: 0, notes: 0 });
  const best = createTop<{ readonly source: RankSource<T>; readonly id: string }>(limit * 4);
  for (const source of sources) {
    source.index.score(terms, words.total / Math.max(1, words.notes), (id, score, updatedAt) => {
      const recency = 2 ** (-Math.max(0, now - updatedAt) / halfLifeMs);
      best.offer(score * (1 - recencyShare + recencyShare * recency), { source, id });
    });
  }
  return best
    .items()
    .flatMap(({ item: { source, id }, score }) => {
      const found = source.find(id);
      return found ? [{ item: found.item, score: score * (0.5 + 0.5 * found.confidence) }] : [];
    })
    .sort((one, other) => other.score - one.score)
    .slice(0, limit);
}

/** Returns the words of the query with their rarity across all files. Ignores words that occur in most notes if the query has others. */
function weigh(query: string, sources: readonly { readonly index: RankedIndex }[]): WeightedTerm[] {
  const wanted = new Set<string>();
  eachToken(query, (term) => wanted.size < 2_000 && wanted.add(term));
  const total = sources.reduce((sum, { index }) => sum + index.size, 0);
  const terms = [...wanted].flatMap((term) => {
    const frequency = sources.reduce((sum, { index }) => sum + index.frequency(term), 0);
    return frequency === 0 ? [] : [{ term, frequency, weight: Math.log(1 + (Math.max(0, total - frequency) + 0.5) / (frequency + 0.5)) }];
  });
  terms.sort((one, other) => one.frequency - other.frequency);
  const rare = total < 1_000 ? terms : terms.filter(({ frequency }, place) => place === 0 || frequency < total / 4);
  return rare;
}

/** Combines rankings by reciprocal rank fusion: items that rank high in several rankings come first. */
export function fuse<T>(orders: readonly (readonly T[])[], keyOf: (item: T) => string): Ranked<T>[] {
  const sums = new Map<string, { item: T; score: number }>();
  for (const order of orders) {
    order.forEach((item, place) => {
      const key = keyOf(item);
      const sum = sums.get(key) ?? { item, score: 0 };
      sum.score += 1 / (fusionK + place + 1);
      sums.set(key, sum);
    });
  }
  return [...sums.values()].sort((one, other) => other.score - one.score);
}

/** Collects the best items of a large number without sorting all of them. */
export function createTop<T>(limit: number): { offer(score: number, item: T): void; items(): Ranked<T>[] } {
  const size = Math.max(1, limit);
  let kept: Ranked<T>[] = [];
  let least = -Infinity;
  const cut = (): void => {
    kept.sort((one, other) => other.score - one.score);
    kept.length = Math.min(kept.length, size);
    if (kept.length === size) least = kept.at(-1)?.score ?? -Infinity;
  };
  return {
    offer(score, item) {
      if (score <= least) return;
      kept.push({ score, item });
      if (kept.length >= size * 2) cut();
    },
    items() {
      cut();
      const all = kept;
      kept = [];
      return all;
    },
  };
}
