// One note: what it says, where it came from, and what can be done with it.
import { Ban, Check, Pencil, Pin, PinOff, RotateCcw, Trash2, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { PlainText } from '#page/kit/plain-text.tsx';
import { timeAgo } from '#page/kit/words.ts';
import { formatTime } from '#page/kit/page/format.ts';
import type { Note } from './memory-calls.ts';
import { confidenceWords, scopeTitles, sourceWords } from './memory-model.ts';
import { NoteEditor } from './note-editor.tsx';
import { NoteEvidence } from './note-evidence.tsx';
import type { NoteActions } from './use-note-actions.ts';

export interface NoteEntryProps {
  readonly note: Note;
  readonly now: Date;
  readonly actions: NoteActions;
  readonly onSearch: (text: string) => void;
}

export function NoteEntry({ note, now, actions, onSearch }: NoteEntryProps) {
  const [isEditing, setEditing] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  const { id, type, key, value, links, replaces, waits } = note;

  function endEditing(): void {
    setEditing(false);
    // The button comes back with the next drawing.
    requestAnimationFrame(() => editButton.current?.focus());
  }

  return (
    <li className="note" aria-label={id}>
      <h2 className="note-name">
        <span className="badge">{type}</span> <bdi>{key}</bdi>
      </h2>
      {replaces !== undefined && (
        <p className="note-replaces small">
          Would take the place of <bdi>{replaces}</bdi>.
        </p>
      )}
      {waits !== undefined && <p className="note-waits small">{waits}</p>}
      {isEditing ? (
        <NoteEditor note={note} save={note.isPending === true ? actions.acceptAs : actions.save} onConflict={actions.reload} onDone={endEditing} />
      ) : (
        <p className="note-value" dir="auto">
          <PlainText text={value} />
        </p>
      )}
      <NoteFacts note={note} now={now} />
      <NoteEvidence note={note} onForgetChat={actions.forgetChat} />
      {links.length > 0 && (
        <p className="note-links small">
          <span className="muted">Belongs to</span>
          {links.map((link) => (
            <button key={link} type="button" className="button bare note-link" onClick={() => onSearch(link)}>
              <bdi>{link}</bdi>
            </button>
          ))}
        </p>
      )}
      {!isEditing && (
        <div className="note-buttons">
          <NoteButtons note={note} actions={actions} editButton={editButton} onEdit={() => setEditing(true)} />
        </div>
      )}
    </li>
  );
}

function NoteFacts({ note, now }: { readonly note: Note; readonly now: Date }) {
  const { scope, source, confidence, updatedAt, deletedAt } = note;
  const at = deletedAt ?? updatedAt;
  const age = timeAgo(at, now);
  return (
    <p className="note-facts muted small">
      <span>{scopeTitles[scope]}</span>
      <span title={source.ref === '' ? undefined : source.ref}>{sourceWords(note)}</span>
      <span>{confidenceWords(confidence)}</span>
      <time dateTime={at} title={formatTime(at)}>
        {deletedAt === undefined ? '' : 'forgotten '}
        {age === 'now' ? 'just now' : /\d (?:min|h|d)$/.test(age) ? `${age} ago` : age}
      </time>
    </p>
  );
}

interface NoteButtonsProps {
  readonly note: Note;
  readonly actions: NoteActions;
  readonly editButton: React.RefObject<HTMLButtonElement | null>;
  readonly onEdit: () => void;
}

function NoteButtons({ note, actions, editButton, onEdit }: NoteButtonsProps) {
  const { id, isPending, isPinned = false, deletedAt } = note;
  if (deletedAt !== undefined) {
    return (
      <button type="button" className="button" aria-label={`Restore ${id}`} onClick={() => actions.restore(note)}>
        <RotateCcw size={16} aria-hidden="true" /> Restore
      </button>
    );
  }
  if (isPending === true) {
    return (
      <>
        <button type="button" className="button" aria-label={`Accept ${id}`} onClick={() => actions.decide(note, true)}>
          <Check size={16} aria-hidden="true" /> Accept
        </button>
        <button ref={editButton} type="button" className="button" aria-label={`Edit and accept ${id}`} onClick={onEdit}>
          <Pencil size={16} aria-hidden="true" /> Edit and accept
        </button>
        <button type="button" className="button danger" aria-label={`Reject ${id}`} onClick={() => actions.decide(note, false)}>
          <X size={16} aria-hidden="true" /> Reject
        </button>
        <button type="button" className="button danger" aria-label={`Never note anything about ${id}`} onClick={() => actions.never(note)}>
          <Ban size={16} aria-hidden="true" /> Never about this
        </button>
      </>
    );
  }
  return (
    <>
      <button ref={editButton} type="button" className="button" aria-label={`Edit ${id}`} onClick={onEdit}>
        <Pencil size={16} aria-hidden="true" /> Edit
      </button>
      <button type="button" className="button" aria-label={`${isPinned ? 'Unpin' : 'Pin'} ${id}`} onClick={() => actions.pin(note, !isPinned)}>
        {isPinned ? <PinOff size={16} aria-hidden="true" /> : <Pin size={16} aria-hidden="true" />} {isPinned ? 'Unpin' : 'Pin'}
      </button>
      <button type="button" className="button danger" aria-label={`Forget ${id}`} onClick={() => actions.forget(note)}>
        <Trash2 size={16} aria-hidden="true" /> Forget
      </button>
    </>
  );
}
