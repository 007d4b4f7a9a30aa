// The notes of the team: what services remember for everybody, who wrote each, what it was before.
import { PageFrame } from '#page/kit/page/page-frame.tsx';
import { countOf } from '#page/kit/page/format.ts';
import { SearchField } from '#page/kit/page/search-field.tsx';
import { Select } from '#page/kit/page/select.tsx';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../base/plane.ts';
import { Empty, Rows } from '#page/kit/page/rows.tsx';
import { workspaceTitle } from '../../base/workspace-title.ts';
import { NoteRow } from './note-row.tsx';
import { readNotes } from './read-notes.ts';

export function Notes() {
  const sets = useLoaded('sets', async (signal) => (await call('GET /api/team/memory/notes/sets', { signal })).sets);
  const [chosen, choose] = useState<string>();
  // What is for all of them comes first, then where there is most.
  const filled = (sets.value ?? [])
    .filter(({ notes }) => notes > 0)
    .toSorted((one, other) => Number(other.workspace === 'global') - Number(one.workspace === 'global') || other.notes - one.notes);
  const workspace = chosen ?? filled[0]?.workspace;
  const titles = Object.fromEntries(filled.map(({ workspace: one, notes }) => [one, `${workspaceTitle(one)} (${countOf(notes, 'note')})`]));
  return (
    <PageFrame
      title="Shared notes"
      intro="What the services of the team remember together. A note is something that somebody told a service, and no instruction."
      actions={
        filled.length > 0 && (
          <a className="button" href="/api/team/memory/notes/export" download>
            <Download size={16} aria-hidden /> Export
          </a>
        )
      }
      isBusy={sets.isLoading}
    >
      <WhenLoaded loaded={sets} what="notes">
        {() =>
          workspace === undefined ? (
            <Empty title="No notes yet">They come from services with team memory, once AGENT_TEAM_MEMORY_SYNC is on.</Empty>
          ) : (
            <>
              {filled.length > 1 && (
                <div className="page-filters">
                  <Select label="Workspace" value={workspace} options={titles} onChange={choose} />
                </div>
              )}
              <NoteList key={workspace} workspace={workspace} />
            </>
          )
        }
      </WhenLoaded>
    </PageFrame>
  );
}

const shownMore = 50;

function NoteList({ workspace }: { readonly workspace: string }) {
  const loaded = useLoaded(workspace, (signal) => readNotes(workspace, signal));
  const [words, setWords] = useState('');
  const [count, setCount] = useState(shownMore);
  return (
    <WhenLoaded loaded={loaded} what="notes">
      {({ revision, notes, isCut }) => {
        const wanted = words.trim().toLowerCase();
        const found = notes.filter(({ key, value, by }) => `${key} ${value} ${by?.email ?? ''}`.toLowerCase().includes(wanted));
        return (
          <>
            <div className="page-filters">
              <SearchField label="Find a note" placeholder="Find in names, texts and writers" value={words} onChange={setWords} />
            </div>
            {isCut && <p className="muted small">The first {notes.length} are shown; the export has all of them.</p>}
            {found.length === 0 ? (
              <Empty title={notes.length === 0 ? 'No notes' : 'Nothing fits'} />
            ) : (
              <Rows label="Notes">
                {found.slice(0, count).map((note) => (
                  <NoteRow key={note.key} workspace={workspace} note={note} revision={revision} onChanged={loaded.reload} />
                ))}
              </Rows>
            )}
            {found.length > count && (
              <p className="more-of">
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
