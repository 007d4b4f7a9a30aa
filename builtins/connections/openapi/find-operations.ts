// Searches operations: BM25 over names, summaries, paths and tags, adjusted for the method and for words of an operation that the query lacks.
import MiniSearch from 'minisearch';
import { readQuestion, singular, isDescriptive, wordsOf } from './operation-query.ts';
import type { OperationRow } from './table.ts';

export type FindOperations = (query: string, limit: number) => readonly OperationRow[];

/** Number of best matches that are ranked in detail. */
const candidates = 150;
/** Penalty per word of the operation's name or path that the query lacks. */
const besideCost = 0.4;

/** Builds the index in small steps, so that a large index does not block other work. */
export async function createFinder(rows: readonly OperationRow[]): Promise<FindOperations> {
  const index = new MiniSearch<{ id: number } & Record<string, string | number>>({
    fields: ['name', 'summary', 'path', 'family'],
    tokenize: wordsOf,
    processTerm: singular,
    searchOptions: {
      boost: { name: 2, summary: 2, path: 1.5, family: 1 },
      prefix: (term) => term.length > 3,
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
      weights: { prefix: 0.3, fuzzy: 0.15 },
    },
  });
  await index.addAllAsync(
    rows.map(({ name, summary, path, family }, id) => ({ id, name, summary, path, family })),
    { chunkSize: 100 },
  );

  return (query, limit) => {
    const question = readQuestion(query);
    const found = index.search([...question.words.keys()].join(' '), { boostTerm: (term) => question.words.get(term) ?? 1 });
    return found
      .slice(0, candidates)
      .flatMap(({ id, score }) => {
        const row = rows[id as number];
        if (!row) return [];
        const isMany = !row.path.endsWith('}');
        const old = row.isDeprecated === true ? 0.6 : 1;
        const many = row.method === 'get' && question.isForMany && !isMany ? 0.7 : 1;
        return [{ row, score: (score * question.fits(row.method) * many * old) / (1 + besideCost * countBeside(row, question.words)) }];
      })
      .sort((left, right) => right.score - left.score)
      .slice(0, limit)
      .map(({ row }) => row);
  };
}

/** Counts words of the name and of the fixed path segments that the query lacks; skips the first segment, which is common to all paths. */
function countBeside({ name, path }: OperationRow, asked: ReadonlyMap<string, number>): number {
  const fixed = path.split('/').filter((part) => part !== '' && !part.startsWith('{'));
  const words = new Set([...wordsOf(name).slice(1), ...fixed.slice(1).flatMap(wordsOf)].map(singular));
  return [...words].filter((word) => isDescriptive(word) && !asked.has(word)).length;
}
