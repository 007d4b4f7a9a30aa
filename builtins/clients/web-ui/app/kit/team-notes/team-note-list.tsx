// Notes that a team shares, as both pages show them: found by their words, each with who wrote it and what it was.
import { useState } from 'react';
import { countOf } from '../page/format.ts';
import { Empty, Rows } from '../page/rows.tsx';
import { SearchField } from '../page/search-field.tsx';
import { TeamNoteRow, type TeamNote, type TeamNoteDoor } from './team-note-row.tsx';
import './team-notes.css';

export type { TeamNote, TeamNoteDoor } from './team-note-row.tsx';

export interface TeamNoteListProps extends TeamNoteDoor {
  readonly notes: readonly TeamNote[];
  /** Said above them where there are more than these. */
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
        <SearchField label="Find a note of the team" placeholder="Find in names, texts and writers" value={words} onChange={setWords} />
      </div>
      {cutHint !== undefined && <p className="muted small">{cutHint}</p>}
      <p className="visually-hidden" role="status">
        {wanted === '' ? '' : `${countOf(found.length, 'note')} found`}
      </p>
      {found.length === 0 ? (
        <Empty title={notes.length === 0 ? 'No notes' : 'Nothing fits'} />
      ) : (
        <Rows label="Notes of the team">
          {found.slice(0, count).map((note) => (
            <TeamNoteRow key={note.key} note={note} {...door} />
          ))}
        </Rows>
      )}
      {found.length > count && (
        <p className="team-notes-more">
          <button type="button" className="button" onClick={() => setCount(count + shownMore)}>
            Show more ({found.length - count})
          </button>
        </p>
      )}
    </>
  );
}
