// Renders one note: its text, its source, and its actions.
import { Ban, Check, Pencil, Pin, PinOff, RotateCcw, Trash2, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { PlainText } from '#page/kit/plain-text.tsx';
import { isAgo, isNow, timeAgo } from '#page/kit/short-texts.ts';
import { formatTime } from '#page/kit/page/format.ts';
import { EntryTools } from '#page/points/entry-tools.tsx';
import { TextEditor } from '#page/points/text-editor.tsx';
import type { Note } from './memory-calls.ts';
import { confidenceWords, scopeTitles, sourceWords } from './memory-model.ts';
import { NoteEvidence } from './note-evidence.tsx';
import type { NoteActions } from './use-note-actions.ts';
import { t, tx } from '#page/kit/t.ts';

export interface NoteEntryProps {
  /** Id of the chat whose notes are shown. */
  readonly chatId: string | undefined;
  readonly note: Note;
  readonly now: Date;
  readonly actions: NoteActions;
  readonly onSearch: (text: string) => void;
}

export function NoteEntry({ chatId, note, now, actions, onSearch }: NoteEntryProps) {
  const [isEditing, setEditing] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  const { id, type, key, value, links, replaces, waits } = note;

  function endEditing(): void {
    setEditing(false);
    // The button is rendered again in the next frame.
    requestAnimationFrame(() => editButton.current?.focus());
  }

  return (
    <li className="note" aria-label={id}>
      <h2 className="note-name">
        <span className="badge">{type}</span> <bdi>{key}</bdi>
      </h2>
      {replaces !== undefined && <p className="note-replaces small">{tx('Would replace {replaces}.', { replaces: <bdi>{replaces}</bdi> })}</p>}
      {waits !== undefined && <p className="note-waits small">{waits}</p>}
      {isEditing ? (
        <TextEditor
          {...{
            label: t('Text of {id}', { id }),
            what: t('The note'),
            now: { text: value, revision: note.revision },
            maxLength: 20_000,
            rows: { least: 3, most: 12 },
          }}
          isFit={(text) => text.trim() !== ''}
          save={(text, revision) => {
            const change = { value: text, revision };
            return note.isPending === true ? actions.acceptAs(note, change) : actions.save(note, change);
          }}
          conflictCode="revision_conflict"
          onFault={(isConflict) => isConflict && actions.reload()}
          onDone={endEditing}
        />
      ) : (
        <p className="note-value" dir="auto">
          <PlainText text={value} />
        </p>
      )}
      <NoteFacts note={note} now={now} />
      <NoteEvidence note={note} onForgetChat={actions.forgetChat} />
      {links.length > 0 && (
        <p className="note-links small">
          <span className="muted">{t('Linked to')}</span>
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
          {note.isPending !== true && <EntryTools kind="note" id={id} {...(chatId === undefined ? {} : { chatId })} />}
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
        {deletedAt === undefined ? '' : `${t('forgotten')} `}
        {isNow(at, now) ? t('just now') : isAgo(at, now) ? t('{time} ago', { time: age }) : age}
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
      <button type="button" className="button" aria-label={t('Restore {id}', { id })} onClick={() => actions.restore(note)}>
        <RotateCcw size={16} aria-hidden="true" /> {t('Restore')}
      </button>
    );
  }
  if (isPending === true) {
    return (
      <>
        <button type="button" className="button" aria-label={t('Accept {id}', { id })} onClick={() => actions.decide(note, true)}>
          <Check size={16} aria-hidden="true" /> {t('Accept')}
        </button>
        <button ref={editButton} type="button" className="button" aria-label={t('Edit and accept {id}', { id })} onClick={onEdit}>
          <Pencil size={16} aria-hidden="true" /> {t('Edit and accept')}
        </button>
        <button type="button" className="button danger" aria-label={t('Reject {id}', { id })} onClick={() => actions.decide(note, false)}>
          <X size={16} aria-hidden="true" /> {t('Reject')}
        </button>
        <button type="button" className="button danger" aria-label={t('Exclude the subject of {id}', { id })} onClick={() => actions.never(note)}>
          <Ban size={16} aria-hidden="true" /> {t('Exclude subject')}
        </button>
      </>
    );
  }
  return (
    <>
      <button ref={editButton} type="button" className="button" aria-label={t('Edit {id}', { id })} onClick={onEdit}>
        <Pencil size={16} aria-hidden="true" /> {t('Edit')}
      </button>
      <button type="button" className="button" aria-label={`${isPinned ? t('Unpin') : t('Pin')} ${id}`} onClick={() => actions.pin(note, !isPinned)}>
        {isPinned ? <PinOff size={16} aria-hidden="true" /> : <Pin size={16} aria-hidden="true" />} {isPinned ? t('Unpin') : t('Pin')}
      </button>
      <button type="button" className="button danger" aria-label={t('Forget {id}', { id })} onClick={() => actions.forget(note)}>
        <Trash2 size={16} aria-hidden="true" /> {t('Forget')}
      </button>
    </>
  );
}
