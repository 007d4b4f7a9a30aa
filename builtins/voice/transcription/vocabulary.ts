// Collects names that are likely to be spoken in a chat: the names of its files and folders, in spoken form.
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Maximum total length in characters; models perform worse with more. */
const mostChars = 600;
const mostFolders = 12;
const freshMs = 60_000;
/** Names that all projects share and that are hardly ever spoken. */
const usual = /^(?:\.|node_modules$|dist$|build$|target$|vendor$|coverage$|index$|license$|readme$|changelog$|package(?:-lock)?$|tsconfig$)/i;

export interface Vocabulary {
  /** Resolves with `undefined` if there are no names. */
  of(folder: string): Promise<string | undefined>;
}

export function createVocabulary(): Vocabulary {
  let last: { readonly folder: string; readonly until: number; readonly names: Promise<string | undefined> } | undefined;
  return {
    of(folder) {
      if (last?.folder !== folder || performance.now() > last.until) last = { folder, until: performance.now() + freshMs, names: namesIn(folder) };
      return last.names;
    },
  };
}

async function namesIn(folder: string): Promise<string | undefined> {
  const top = await entriesOf(folder);
  const below = await Promise.all(
    top
      .filter((one) => one.isDirectory())
      .slice(0, mostFolders)
      .map(({ name }) => entriesOf(join(folder, name))),
  );
  const names = new Set<string>();
  let chars = 0;
  for (const { name } of [...top, ...below.flat()]) {
    const word = name.replace(/(?<=.)\.[^/]*$/, '');
    if (usual.test(word) || !/^[\p{L}][\p{L}\p{N} _-]{2,39}$/u.test(word) || names.has(word)) continue;
    if ((chars += word.length + 2) > mostChars) break;
    names.add(word);
  }
  return names.size === 0 ? undefined : [...names].join(', ');
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter(({ name }) => !usual.test(name)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
