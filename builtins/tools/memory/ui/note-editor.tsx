// Changes the text of a note where it stands; says so when somebody else changed it meanwhile.
import { codeOf } from 'agent-harness/lib/errors';
import { useId, useState, type FormEvent } from 'react';
import { explainError } from '#page/kit/page/explain-error.ts';
import { FieldTools } from '#page/points/field-tools.tsx';
import type { Note } from './memory-calls.ts';

export interface NoteEditorProps {
  /** As it is now; it may change while somebody writes. */
  readonly note: Note;
  readonly save: (note: Note, change: { readonly value: string; readonly revision: number }) => Promise<void>;
  /** The note is in another revision than this page knew. */
  readonly onConflict: () => void;
  readonly onDone: () => void;
}

export function NoteEditor({ note, save, onConflict, onDone }: NoteEditorProps) {
  const id = useId();
  // What the person saw when they began, or when they last looked at a newer text.
  const [seen, setSeen] = useState(note);
  const [text, setText] = useState(note.value);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const isNewer = note.revision !== seen.revision;

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await save(note, { value: text, revision: seen.revision });
      onDone();
    } catch (error) {
      const isConflict = codeOf(error) === 'revision_conflict';
      setProblem(isConflict ? 'The note was changed meanwhile, so yours was not saved. Your text is still here.' : explainError(error));
      setBusy(false);
      if (isConflict) onConflict();
    }
  }

  function goOn(value: string): void {
    setSeen(note);
    setText(value);
    setProblem(undefined);
    document.getElementById(id)?.focus();
  }

  return (
    <form className="note-editor" onSubmit={(event) => void submit(event)} onKeyDown={(event) => event.key === 'Escape' && onDone()}>
      <label htmlFor={id} className="visually-hidden">
        Text of {note.id}
      </label>
      <FieldTools>
        <textarea
          id={id}
          className="field"
          rows={Math.min(12, Math.max(3, text.split('\n').length))}
          value={text}
          maxLength={20_000}
          autoFocus
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-problem`}
          onChange={(event) => setText(event.target.value)}
        />
      </FieldTools>
      <p id={`${id}-problem`} className="note-problem small" role="alert">
        {problem}
      </p>
      {isNewer && (
        <div className="note-newer small" role="status">
          <p>
            <strong>It says now:</strong> <span className="note-value">{note.value}</span>
          </p>
          <div className="note-buttons">
            <button type="button" className="button" onClick={() => goOn(text)}>
              Keep my text
            </button>
            <button type="button" className="button" onClick={() => goOn(note.value)}>
              Take the newer text
            </button>
          </div>
        </div>
      )}
      <div className="note-buttons">
        <button type="submit" className="button primary" disabled={isBusy || text.trim() === ''}>
          {isBusy ? 'Saving…' : 'Save'}
        </button>
        <button type="button" className="button" onClick={onDone}>
          Cancel
        </button>
      </div>
    </form>
  );
}
