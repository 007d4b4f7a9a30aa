// What the indexes have that fits some words, the newest version of each.
import type { IndexListing, LockRow } from 'agent-harness/builtins/connections/plugin-life';
import { newestOf, readIndexes } from './plugin-index.ts';

/** @param words all of which stand in name or description; none for everything */
export async function searchIndexes(
  words: string,
  places: readonly string[],
  rows: Readonly<Record<string, LockRow>>,
  signal?: AbortSignal,
): Promise<IndexListing> {
  const { entries, faults } = await readIndexes(places, signal);
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const fitting = newestOf(entries).filter(({ name, description }) => wanted.every((word) => `${name} ${description}`.toLowerCase().includes(word)));
  const sorted = fitting.sort((one, other) => (one.name < other.name ? -1 : 1));
  return {
    plugins: sorted.map((entry) => {
      const installed = Object.hasOwn(rows, entry.name) ? rows[entry.name]?.version : undefined;
      return { ...entry, ...(installed === undefined ? {} : { installed }) };
    }),
    faults,
  };
}
