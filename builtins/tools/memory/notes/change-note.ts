// Changes, deletes, restores and accepts single notes; rejects if the note is missing or in another state.
import type { KernelError } from 'agent-harness/kernel';
import { nextTime } from '#lib/copies';
import type { Note, NotePlace, NoteSource, StoredNote } from '../contract.ts';
import { isActive, restoreMs, splitId, whyUnfit, type NoteChange, type NoteErrorReason, type NoteKey } from './note-grammar.ts';
import type { NoteWriter } from './write-notes.ts';

export interface NoteChangeParts {
  readonly write: NoteWriter['one'];
  isOurs(key: NoteKey, note: StoredNote): boolean;
  current(place: NotePlace, key: NoteKey): Promise<StoredNote | undefined>;
  error(reason: NoteErrorReason, details: Readonly<Record<string, unknown>>): KernelError;
}

export interface NoteChanges {
  /** Changes a note for the user. Rejects if the note has another revision. */
  rewrite(place: NotePlace, key: NoteKey, change: { readonly value: string; readonly revision: number; readonly source: NoteSource }): Promise<Note>;
  /** Extends the note's text and keeps its source. Resolves with `undefined` if `value` does not start with the current text. */
  extend(place: NotePlace, key: NoteKey, value: string): Promise<Note | undefined>;
  restore(place: NotePlace, key: NoteKey): Promise<Note>;
  /** Decides about a pending note: activates or deletes it. Resolves with the active or the deleted note. */
  accept(place: NotePlace, key: NoteKey, options: { readonly isAccepted: boolean; readonly rewritten?: Pick<StoredNote, 'value' | 'source'> }): Promise<Note>;
  pin(place: NotePlace, key: NoteKey, isPinned: boolean): Promise<Note>;
  forgetOne(place: NotePlace, key: NoteKey): Promise<Note>;
}

export function createNoteChanges({ write, isOurs, current, error }: NoteChangeParts): NoteChanges {
  async function change(place: NotePlace, key: NoteKey, kind: NoteChange, decide: (before: StoredNote | undefined) => StoredNote | undefined): Promise<Note> {
    const note = await write(place, key, kind, decide);
    if (!note) throw error('NOT_FOUND', { id: key.id });
    return note;
  }

  const forgetOne: NoteChanges['forgetOne'] = (place, key) =>
    change(place, key, 'forgotten', (before) => {
      if (!before || before.deletedAt !== undefined) return undefined;
      const at = timeAfter(before);
      return { ...before, deletedAt: at, updatedAt: at, revision: before.revision + 1 };
    });

  return {
    forgetOne,
    async accept(place, key, { isAccepted, rewritten }) {
      const before = await current(place, key);
      if (!before?.isPending || before.deletedAt !== undefined) throw error('NOT_FOUND', { id: key.id });
      if (!isAccepted) return forgetOne(place, key);
      const why = rewritten && whyUnfit({ type: 'fact', key: 'x', value: rewritten.value });
      if (why !== undefined) throw error('INVALID_NOTE', { why });
      const target = before.replaces ?? key.id;
      const other = target === key.id ? undefined : await current(place, { ...key, id: target });
      const accepted = await write(place, { ...key, id: target }, 'accepted', (known) => {
        const { isPending: _, replaces: __, waits: ____, ...rest } = before;
        const { deletedAt: ___, ...base } = { ...rest, createdAt: known?.createdAt ?? rest.createdAt };
        const { evidence: _____, ...own } = base;
        const next = rewritten ? { ...own, ...rewritten, confidence: 1 } : { ...base, confidence: Math.max(base.confidence, 0.8) };
        return { ...next, ...(known?.isPinned ? { isPinned: true } : {}), updatedAt: timeAfter(known), revision: (known?.revision ?? 0) + 1 };
      });
      // The accepted note displaced another pending note, which now becomes the proposed replacement of the accepted one.
      if (other?.isPending && other.deletedAt === undefined)
        await write(place, key, 'pending', (known) => known && { ...other, replaces: target, updatedAt: timeAfter(known), revision: known.revision + 1 });
      else if (target !== key.id) await forgetOne(place, key);
      return accepted ?? Promise.reject(error('NOT_FOUND', { id: key.id }));
    },
    pin: (place, key, isPinned) =>
      change(place, key, 'remembered', (before) => {
        if (!isActive(before)) return undefined;
        const { isPinned: _, ...note } = before;
        return { ...note, ...(isPinned ? { isPinned } : {}), revision: before.revision + 1 };
      }),
    async rewrite(place, key, { value, revision, source }) {
      const why = whyUnfit({ ...(splitId(key.id) ?? { type: '', key: '' }), key: 'x', value });
      if (why !== undefined) throw error('INVALID_NOTE', { why });
      return change(place, key, 'remembered', (before) => {
        if (!isActive(before)) return undefined;
        if (before.revision !== revision) throw error('REVISION_CONFLICT', { id: key.id, revision: before.revision });
        // A text by the user has no evidence.
        const { evidence: _, ...own } = before;
        return { ...own, value, source, confidence: 1, updatedAt: timeAfter(before), revision: before.revision + 1 };
      });
    },
    extend: (place, key, value) =>
      write(place, key, 'remembered', (before) =>
        isActive(before) && isOurs(key, before) && value.startsWith(before.value) && !whyUnfit({ type: 'fact', key: 'x', value })
          ? { ...before, value, updatedAt: timeAfter(before), revision: before.revision + 1 }
          : undefined,
      ),
    restore: (place, key) =>
      change(place, key, 'restored', (before) => {
        const isLate = Date.now() - Date.parse(before?.deletedAt ?? '') > restoreMs;
        if (before?.deletedAt === undefined || isLate || before.value === '') return undefined;
        const { deletedAt: _, ...note } = before;
        return { ...note, updatedAt: timeAfter(before), revision: before.revision + 1 };
      }),
  };
}

/** Returns a time later than that of the existing note, regardless of the clock. */
export function timeAfter(before: StoredNote | undefined): string {
  return nextTime(
    Date.now(),
    [before?.touchedAt, before?.updatedAt].sort().findLast((time) => time !== undefined),
  );
}
