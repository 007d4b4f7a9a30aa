// Maps links and titles to vault notes.
import type { WikiLink } from './parse-note.ts';
import { stemOf } from './parse-note.ts';

export interface NamedNote {
  readonly path: string;
  readonly title: string;
  readonly aliases: readonly string[];
}

export interface NoteNames {
  /** Returns the path of the note that a link refers to; `undefined` if there is none. For a link to a heading in the same note, returns `from`. */
  resolveLink(link: WikiLink, from: string): string | undefined;
  /** Finds notes by path, file name, title or alias; returns several if a title is not unique. */
  find(name: string): readonly string[];
  /** Returns whether the link refers to an existing image or another file. */
  isAttachment(target: string): boolean;
}

export function nameNotes(notes: Iterable<NamedNote>, attachments: ReadonlySet<string>): NoteNames {
  const byPath = new Map<string, string>();
  const byStem = new Map<string, string[]>();
  const byTitle = new Map<string, string[]>();
  for (const { path, title, aliases } of notes) {
    byPath.set(keyOf(withoutExtension(path)), path);
    append(byStem, keyOf(stemOf(path)), path);
    for (const name of new Set([title, ...aliases].map(keyOf))) append(byTitle, name, path);
  }

  function find(name: string): readonly string[] {
    const key = keyOf(withoutExtension(name.replace(/^\.?\//, '')));
    const exact = byPath.get(key);
    if (exact !== undefined) return [exact];
    return byStem.get(key) ?? byTitle.get(key) ?? endingIn(key);
  }

  /** Returns the paths that end with `folder/Note`. */
  function endingIn(key: string): readonly string[] {
    if (!key.includes('/')) return [];
    const candidates = byStem.get(key.slice(key.lastIndexOf('/') + 1)) ?? [];
    return candidates.filter((path) => keyOf(withoutExtension(path)).endsWith(`/${key}`));
  }

  return {
    find,
    resolveLink({ target }, from) {
      if (target === '') return from;
      return nearest(find(target), from);
    },
    isAttachment: (target) => attachments.has(keyOf(target.slice(target.lastIndexOf('/') + 1))),
  };
}

/** Of several notes with the same name, returns the one in the same folder, otherwise the one with the shortest path. */
function nearest(paths: readonly string[], from: string): string | undefined {
  const folder = folderOf(from);
  return paths.find((path) => folderOf(path) === folder) ?? [...paths].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))[0];
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function withoutExtension(path: string): string {
  return path.replace(/\.(md|markdown)$/i, '');
}

function keyOf(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}

function append(map: Map<string, string[]>, key: string, path: string): void {
  const paths = map.get(key);
  if (paths) paths.push(path);
  else map.set(key, [path]);
}
