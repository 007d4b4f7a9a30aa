// Finds the notes around a note by following the links in one file, in both directions.
import type { Note } from '../contract.ts';
import { isActive } from './note-grammar.ts';
import type { OpenNotes } from './open-note-files.ts';

export interface LinkedNote {
  readonly note: Note;
  /** Number of links from the start. */
  readonly step: number;
  /** The link to the note, such as `from fact:a` or `to fact:a`. */
  readonly via: string;
}

const maxShown = 40;

/** @param steps maximum number of links, 1 or 2 */
export async function findAround(opened: readonly OpenNotes[], startId: string, steps: number): Promise<LinkedNote[]> {
  const [open] = opened;
  if (!open) return [];
  const { notes } = open.file;
  const counts = (id: string): boolean => isActive(notes.get(id));
  const seen = new Set([startId]);
  const found: LinkedNote[] = [];
  let edge = [startId];
  for (let step = 1; step <= steps; step++) {
    const next: string[] = [];
    const reach = (id: string, via: string): void => {
      const note = notes.get(id);
      if (!note || seen.has(id) || !counts(id) || found.length >= maxShown) return;
      seen.add(id);
      next.push(id);
      found.push({ note: open.show(id, note), step, via });
    };
    for (const id of edge) for (const link of notes.get(id)?.links ?? []) reach(link, `from ${id}`);
    const wanted = new Set(edge);
    for (const [id, note] of notes) {
      const target = note.links.find((link) => wanted.has(link));
      if (target !== undefined) reach(id, `to ${target}`);
    }
    edge = next;
  }
  return found;
}
