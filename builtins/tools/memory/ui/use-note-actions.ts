// Provides the actions on notes, and their result messages.
import { useState } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { explainError } from '#page/kit/page/explain-error.ts';
import type { Note } from './memory-calls.ts';
import { t, tn } from '#page/kit/t.ts';

export interface NoteOutcome {
  readonly text: string;
  readonly undo?: () => void;
}

export interface NoteActions {
  readonly outcome: NoteOutcome | undefined;
  readonly problem: string | undefined;
  /** Saves a changed text. Rejects if that fails. */
  save(note: Note, change: { readonly value: string; readonly revision: number }): Promise<void>;
  forget(note: Note): void;
  restore(note: Note): void;
  decide(note: Note, isAccepted: boolean): void;
  /** Accepts a pending note with an edited text. Rejects if that fails. */
  acceptAs(note: Note, change: { readonly value: string }): Promise<void>;
  /** Rejects a note, and excludes its subject from automatic notes. */
  never(note: Note): void;
  pin(note: Note, isPinned: boolean): void;
  /** Permanently deletes all data derived from a chat. */
  forgetChat(chatId: string): void;
  reload(): void;
}

/** @param reload reloads the lists */
export function useNoteActions(chatId: string | undefined, reload: () => void): NoteActions {
  const { call } = useClient();
  const [outcome, setOutcome] = useState<NoteOutcome>();
  const [problem, setProblem] = useState<string>();
  const pointTo = ({ id, scope }: Note) => ({ id, scope, ...(chatId === undefined ? {} : { chatId }) });

  function attempt(work: () => Promise<NoteOutcome>): void {
    setProblem(undefined);
    setOutcome(undefined);
    work()
      .then(setOutcome, (error: unknown) => setProblem(explainError(error)))
      .finally(reload);
  }

  function restore(note: Note): void {
    attempt(async () => {
      await call('POST /api/memory/restore', { body: pointTo(note) });
      return { text: t('Restored {id}.', { id: note.id }) };
    });
  }

  return {
    outcome,
    problem,
    reload,
    restore,
    async save(note, change) {
      setOutcome(undefined);
      await call('PUT /api/memory', { body: { ...pointTo(note), ...change } });
      setOutcome({ text: t('Saved {id}.', { id: note.id }) });
      reload();
    },
    async acceptAs(note, { value }) {
      setOutcome(undefined);
      await call('POST /api/memory/accept', { body: { ...pointTo(note), isAccepted: true, value } });
      setOutcome({ text: t('Accepted {id} with your text.', { id: note.id }) });
      reload();
    },
    never(note) {
      attempt(async () => {
        await call('POST /api/memory/accept', { body: { ...pointTo(note), isAccepted: false, never: true } });
        return { text: t('Excluded the subject of {id} from automatic notes.', { id: note.id }) };
      });
    },
    pin(note, isPinned) {
      attempt(async () => {
        await call('POST /api/memory/pin', { body: { ...pointTo(note), isPinned } });
        return { text: isPinned ? t('Pinned {id}: automatic features no longer change it.', { id: note.id }) : t('Unpinned {id}.', { id: note.id }) };
      });
    },
    forgetChat(from) {
      attempt(async () => {
        const { forgotten } = await call('POST /api/memory/forget-chat', { body: { chatId: from } });
        return { text: t('Deleted the data derived from that chat: {notes}.', { notes: tn(forgotten, '{count} note', '{count} notes') }) };
      });
    },
    forget(note) {
      attempt(async () => {
        await call('POST /api/memory/forget', { body: pointTo(note) });
        return { text: t('Forgot {id}.', { id: note.id }), undo: () => restore(note) };
      });
    },
    decide(note, isAccepted) {
      attempt(async () => {
        await call('POST /api/memory/accept', { body: { ...pointTo(note), isAccepted } });
        // A rejected note is deleted; if it is restored, it becomes pending again.
        return isAccepted
          ? { text: t('Accepted {id}: the agent uses it from now on.', { id: note.id }) }
          : { text: t('Rejected {id}.', { id: note.id }), undo: () => restore(note) };
      });
    },
  };
}
