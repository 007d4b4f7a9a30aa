// What the team remembers together: the notes of a workspace, who wrote them and when.
import { useClient } from '#page/kit/hooks.ts';
import { countOf } from '#page/kit/page/format.ts';
import { Empty, Rows } from '#page/kit/page/rows.tsx';
import { SearchField } from '#page/kit/page/search-field.tsx';
import { Select } from '#page/kit/page/select.tsx';
import { useEvents } from '#page/kit/page/use-events.ts';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { usePageChat } from '#page/kit/page/use-page-chat.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { useState } from 'react';
import { SharedNoteRow } from './shared-note-row.tsx';
import './shared-notes.css';

export function SharedNotes() {
  const client = useClient();
  const { meta } = usePageChat();
  const [chosen, choose] = useState<string>();
  const loaded = useLoaded('team sets', (signal) => client.call('GET /api/team/notes/sets', { signal }));
  useEvents((event) => ['notes_synced', 'account_changed'].includes(event.kind), 300, loaded.reload);
  return (
    <section className="page-section" aria-labelledby="team-notes-title" aria-busy={loaded.isLoading}>
      <h2 id="team-notes-title">What the team remembers</h2>
      <WhenLoaded loaded={loaded} what="notes of the team">
        {({ sets, mayDelete }) => {
          const here = sets.find(({ workspace }) => workspace === meta?.workspaceFingerprint) ?? sets[0];
          const workspace = sets.find((one) => one.workspace === chosen)?.workspace ?? here?.workspace;
          if (workspace === undefined)
            return <Empty title="No notes yet">They come from chats in a folder with a git remote, once somebody agreed that its notes are shared.</Empty>;
          const titles = Object.fromEntries(sets.map((one) => [one.workspace, `${one.workspace} (${countOf(one.notes, 'note')})`]));
          return (
            <>
              <div className="page-filters">
                <Select label="Workspace of the notes" value={workspace} options={titles} onChange={choose} />
              </div>
              <NoteList key={workspace} workspace={workspace} mayDelete={mayDelete} onChanged={loaded.reload} />
            </>
          );
        }}
      </WhenLoaded>
      {loaded.problem !== undefined && (
        <p className="muted small">
          The copies on this machine go on being used; they are in <a href="#/memory">Memory</a>.
        </p>
      )}
    </section>
  );
}

const shownMore = 25;

interface NoteListProps {
  readonly workspace: string;
  readonly mayDelete: boolean;
  readonly onChanged: () => void;
}

function NoteList({ workspace, mayDelete, onChanged }: NoteListProps) {
  const client = useClient();
  const loaded = useLoaded(workspace, (signal) => client.call('GET /api/team/notes', { query: { workspace }, signal }));
  useEvents((event) => event.kind === 'notes_synced', 300, loaded.reload);
  const [words, setWords] = useState('');
  const [count, setCount] = useState(shownMore);
  return (
    <WhenLoaded loaded={loaded} what="notes">
      {({ revision, notes, isCut }) => {
        const wanted = words.trim().toLowerCase();
        const found = notes.filter(({ key, value, by = '' }) => `${key} ${value} ${by}`.toLowerCase().includes(wanted));
        return (
          <>
            <div className="page-filters">
              <SearchField label="Find a note of the team" placeholder="Find in names, texts and writers" value={words} onChange={setWords} />
            </div>
            {isCut && <p className="muted small">The first {countOf(notes.length, 'note')} are shown.</p>}
            <p className="visually-hidden" role="status">
              {wanted === '' ? '' : `${countOf(found.length, 'note')} found`}
            </p>
            {found.length === 0 ? (
              <Empty title={notes.length === 0 ? 'No notes' : 'Nothing fits'} />
            ) : (
              <Rows label="Notes of the team">
                {found.slice(0, count).map((note) => (
                  <SharedNoteRow
                    key={note.key}
                    {...{ workspace, note, revision, mayDelete }}
                    onChanged={() => {
                      loaded.reload();
                      onChanged();
                    }}
                  />
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
      }}
    </WhenLoaded>
  );
}
