// Renders the searchable list of a team's notes, each with its author and history. Two pages use it.
import { useState } from 'react';
import { Empty, Rows } from '../page/rows.tsx';
import { SearchField } from '../page/search-field.tsx';
import { TeamNoteRow, type TeamNote, type TeamNoteActions } from './team-note-row.tsx';
import { t, tn } from '../t.ts';
import './team-notes.css';

export type { TeamNote, TeamNoteActions as TeamNoteDoor } from './team-note-row.tsx';

export interface TeamNoteListProps extends TeamNoteActions {
  readonly notes: readonly TeamNote[];
  /** Shown above the notes if the list is truncated. */
  readonly cutHint?: string | undefined;
}

const shownMore = 50;

export function TeamNoteList({ notes, cutHint, ...door }: TeamNoteListProps) {
  const [words, setWords] = useState('');
  const [count, setCount] = useState(shownMore);
  const wanted = words.trim().toLowerCase();
  const found = notes.filter(({ key, value, by = '' }) => `${key} ${value} ${by}`.toLowerCase().includes(wanted));
  return (
    <>
      <div className="page-filters">
        <SearchField label={t('Find a note of the team')} placeholder={t('Find in names, texts and writers')} value={words} onChange={setWords} />
      </div>
      {cutHint !== undefined && <p className="muted small">{cutHint}</p>}
      <p className="visually-hidden" role="status">
        {wanted === '' ? '' : t('{notes} found', { notes: tn(found.length, '{count} note', '{count} notes') })}
      </p>
      {found.length === 0 ? (
        <Empty title={notes.length === 0 ? t('No notes') : t('No matches')} />
      ) : (
        <Rows label={t('Notes of the team')}>
          {found.slice(0, count).map((note) => (
            <TeamNoteRow key={note.key} note={note} {...door} />
          ))}
        </Rows>
      )}
      {found.length > count && (
        <p className="team-notes-more">
          <button type="button" className="button" onClick={() => setCount(count + shownMore)}>
            {t('Show more ({count})', { count: found.length - count })}
          </button>
        </p>
      )}
    </>
  );
}
