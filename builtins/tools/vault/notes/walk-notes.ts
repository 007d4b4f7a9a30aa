// Lists the notes of a vault with times and sizes, without hidden folders and symbolic links.
import { lstatSync, readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { yieldToEventLoop } from '#lib/event-loop';
import type { Root } from './place.ts';

export interface FoundNote {
  /** Path relative to the vault, with `/`. */
  readonly path: string;
  readonly mtimeMs: number;
  readonly size: number;
}

export interface FoundFiles {
  readonly notes: readonly FoundNote[];
  /** Lower-case names of other files, to which links may refer. */
  readonly attachments: ReadonlySet<string>;
  /** Whether the limit was exceeded. */
  readonly isCut: boolean;
}

/** Path of the folder with copies that preserve the user's text; they are found only by path. */
export const conflictFolder = 'agent/conflicts';
const maxNotes = 50_000;
const maxDepth = 32;
/** Number of entries between two yields to the event loop; reading them takes about 2 ms. */
const breathEvery = 400;

/**
 * Lists the notes. Synchronous in portions: checking a file takes 3 µs, ten times as long in the thread pool. The list is therefore cheap enough to update for
 * every search.
 */
export async function walkNotes(root: Root): Promise<FoundFiles> {
  const notes: FoundNote[] = [];
  const attachments = new Set<string>();
  const open: { readonly path: string; readonly depth: number }[] = [{ path: '', depth: 0 }];
  let seen = 0;
  for (let folder = open.pop(); folder && notes.length < maxNotes; folder = open.pop()) {
    for (const entry of entriesOf(join(root.path, folder.path))) {
      if (++seen % breathEvery === 0) await yieldToEventLoop();
      if (entry.name.startsWith('.')) continue;
      const path = folder.path === '' ? entry.name : `${folder.path}/${entry.name}`;
      const absolute = join(root.path, path);
      if (entry.isDirectory()) {
        if (folder.depth < maxDepth && path !== conflictFolder && !root.isForbidden(absolute)) open.push({ path, depth: folder.depth + 1 });
      } else if (entry.isFile()) {
        if (!/\.(md|markdown)$/i.test(entry.name)) attachments.add(entry.name.normalize('NFC').toLowerCase());
        else addNote(notes, path, absolute);
      }
    }
  }
  return { notes, attachments, isCut: notes.length >= maxNotes };
}

function addNote(notes: FoundNote[], path: string, absolute: string): void {
  const stats = lstatSync(absolute, { throwIfNoEntry: false });
  if (stats?.isFile()) notes.push({ path, mtimeMs: stats.mtimeMs, size: stats.size });
}

/** Returns the entries of a folder; none if it is unreadable or was removed in the meantime. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
