// Tests the ranking of notes by words, neighbours and age.
import { expect, test } from 'vitest';
import { createNoteIndex } from '../../../../builtins/tools/memory/search/note-index.ts';
import { rankByWords } from '../../../../builtins/tools/memory/search/ranking.ts';

const day = 86_400_000;
const now = Date.UTC(2026, 5, 1);

/** @param notes value and age in days, in the order they were written */
function rank(query: string, notes: readonly (readonly [value: string, daysAgo?: number])[]): number[] {
  const index = createNoteIndex();
  for (const [at, [value, daysAgo = 0]] of notes.entries()) {
    const time = new Date(now - daysAgo * day).toISOString();
    index.set(`fact:n${at}`, {
      value,
      createdAt: time,
      updatedAt: time,
      accessCount: 0,
      confidence: 1,
      links: [],
      source: { kind: 'user', ref: 'test' },
      revision: 1,
    });
  }
  return rankByWords(query, [{ index, find: (id) => ({ item: Number(id.slice(6)), confidence: 1 }) }], 10, now).map(({ item }) => item);
}

test('of two notes with the same words, ranks the one with related neighbours first', () => {
  const notes = [['The harbour opens.'], ['Nothing of interest.'], ['Filler text.'], ['The harbour closes.'], ['Ferry to the island at noon.']] as const;
  expect(rank('When does the ferry leave the harbour for the island?', notes)).toEqual([4, 3, 0]);
});

test('does not find a note without a query word, whatever its neighbours are', () => {
  expect(rank('zeppelin', [['A zeppelin.'], ['Nothing.'], ['Zeppelin again.']])).toEqual([0, 2]);
});

test('ignores neighbours that were written at other times', () => {
  const notes = [['The harbour opens.'], ['Filler.'], ['Filler.'], ['Filler.'], ['The harbour closes.', 2], ['Ferry to the island.', 40]] as const;
  expect(rank('ferry island harbour', notes)).toEqual([5, 0, 4]);
});

test('a pending note keeps its position, so that its neighbours have the same distance', () => {
  const index = createNoteIndex();
  const one = {
    value: 'zeppelin',
    createdAt: '',
    updatedAt: '',
    accessCount: 0,
    confidence: 1,
    links: [],
    source: { kind: 'user', ref: 'test' },
    revision: 1,
  } as const;
  index.set('fact:a', one);
  index.set('fact:b', { ...one, isPending: true });
  index.set('fact:c', one);
  const other = createNoteIndex();
  other.set('fact:a', one);
  other.set('fact:b', { ...one, value: 'else' });
  other.set('fact:c', one);
  const scores = (from: typeof index): number[] => {
    const found: number[] = [];
    from.score([{ term: 'zeppelin', weight: 1 }], 1, (_, score) => found.push(score));
    return found;
  };
  expect(scores(index)).toEqual(scores(other));
});

test('ranks a long note with more query words above a short one', () => {
  expect(rank('release notes printer', [['printer'], [`release notes of the printer ${'and more words '.repeat(30)}`]])).toEqual([1, 0]);
});

test('ranks newer notes first among equal matches, but not above better matches', () => {
  expect(
    rank('release printer', [
      ['release printer', 400],
      ['release printer', 1],
      ['printer', 0],
    ]),
  ).toEqual([1, 0, 2]);
});
