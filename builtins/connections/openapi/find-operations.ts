// Finds operations by words: BM25 over names, summaries, paths and tags, with the words people use for methods.
import MiniSearch from 'minisearch';
import type { Method, OperationRow } from './table.ts';

export type FindOperations = (query: string, limit: number) => readonly OperationRow[];

/** GET of many and of one is worded differently, the others much the same everywhere. */
const verbs: Readonly<Record<Method, string>> = {
  get: 'get list show read fetch',
  head: 'check head',
  options: 'options',
  post: 'create add new post',
  put: 'replace set update put',
  patch: 'update edit change modify patch',
  delete: 'delete remove',
};
const silentWords = new Set([
  'a',
  'an',
  'the',
  'of',
  'for',
  'in',
  'on',
  'to',
  'with',
  'by',
  'and',
  'or',
  'my',
  'all',
  'how',
  'do',
  'i',
  'is',
  'from',
  'that',
  'this',
]);

export function createFinder(rows: readonly OperationRow[]): FindOperations {
  const index = new MiniSearch<{ id: number } & Record<string, string | number>>({
    fields: ['name', 'summary', 'path', 'family', 'verbs'],
    tokenize: (text) =>
      text
        .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
        .split(/[^\p{L}\p{N}]+/u)
        .filter((word) => word !== ''),
    processTerm,
    searchOptions: {
      boost: { name: 2, summary: 2, path: 1.5, family: 1, verbs: 0.7 },
      prefix: (term) => term.length > 3,
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
      weights: { prefix: 0.3, fuzzy: 0.15 },
    },
  });
  index.addAll(rows.map(({ name, summary, path, family, method }, id) => ({ id, name, summary, path, family, verbs: verbs[method] })));
  return (query, limit) =>
    index
      .search(query)
      .slice(0, limit)
      .flatMap(({ id }) => rows[id as number] ?? []);
}

/** English plurals only: enough to bring `issues` and `issue` together. */
function processTerm(word: string): string | false {
  const plain = word.toLowerCase().slice(0, 40);
  if (silentWords.has(plain)) return false;
  if (/[^aeiou]ies$/.test(plain) && plain.length > 4) return `${plain.slice(0, -3)}y`;
  if (/(ss|sh|ch|x|z)es$/.test(plain)) return plain.slice(0, -2);
  return /[^su]s$/.test(plain) && plain.length > 3 ? plain.slice(0, -1) : plain;
}
