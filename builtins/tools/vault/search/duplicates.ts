// Finds a vault note that is nearly identical to a new text.
import { join } from 'node:path';
import { isFailure } from '#lib/errors';
import { readNote } from '../notes/note-file.ts';
import { splitFrontMatter } from '../notes/parse-note.ts';
import type { Root } from '../notes/place.ts';
import { wordsOf } from './tokenize.ts';
import type { IndexView } from './vault-index.ts';

export interface Duplicate {
  readonly path: string;
  /** Similarity, 0 to 1. */
  readonly likeness: number;
}

/** Minimum Jaccard index of the three-word shingles at which two texts count as equal. */
const sameFrom = 0.75;
/** Minimum share of the new text's shingles in the old text at which the new text adds nothing. */
const containedFrom = 0.92;
const shingleWords = 3;
const queryWords = 32;
const candidates = 8;
/** Path prefix of episode notes, which are excluded because they are similar by nature. */
const episodes = 'agent/episodes/';

/** @param except path of an excluded note */
export async function findDuplicate(root: Root, view: IndexView, title: string, text: string, except?: string): Promise<Duplicate | undefined> {
  const own = shinglesOf(text);
  if (own.size === 0) return undefined;
  const query = [title, ...new Set(wordsOf(text))].slice(0, queryWords).join(' ');
  const hits = view.search(query, { isLoose: false }).filter(({ note }) => note.path !== except && !note.path.startsWith(episodes));
  let best: Duplicate | undefined;
  for (const { note } of hits.slice(0, candidates)) {
    const likeness = likenessOf(own, shinglesOf(await textOf(root, note.path)));
    if (likeness > (best?.likeness ?? 0)) best = { path: note.path, likeness };
  }
  return best && best.likeness >= sameFrom ? best : undefined;
}

function likenessOf(own: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const shingle of own) if (other.has(shingle)) shared++;
  const jaccard = shared / (own.size + other.size - shared || 1);
  const contained = shared / own.size;
  return contained >= containedFrom ? Math.max(jaccard, contained) : jaccard;
}

/** Returns the shingles of a text: all sequences of three consecutive words. A shorter text is one shingle. */
function shinglesOf(text: string): Set<string> {
  const words = wordsOf(text);
  if (words.length === 0) return new Set();
  const count = Math.max(1, words.length - shingleWords + 1);
  return new Set(Array.from({ length: count }, (_, at) => words.slice(at, at + shingleWords).join(' ')));
}

async function textOf(root: Root, path: string): Promise<string> {
  try {
    return splitFrontMatter(await readNote(join(root.path, path), path)).body;
  } catch (fault) {
    if (isFailure(fault)) return '';
    throw fault;
  }
}
