// Renders the team's shared notes with authors and history.
import { PageFrame } from '#page/kit/page/page-frame.tsx';
import { countOf } from '#page/kit/page/format.ts';
import { Select } from '#page/kit/page/select.tsx';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../base/plane.ts';
import { Empty } from '#page/kit/page/rows.tsx';
import { TeamNoteList } from '#page/kit/team-notes/team-note-list.tsx';
import { isAtLeast, useMembership } from '../../base/me.ts';
import { workspaceTitle } from '../../base/workspace-title.ts';
import { deleteNote, readNotes } from './read-notes.ts';

export function Notes() {
  const sets = useLoaded('sets', async (signal) => (await call('GET /api/team/memory/notes/sets', { signal })).sets);
  const [chosen, choose] = useState<string>();
  // The global set comes first, followed by the sets with the most notes.
  const filled = (sets.value ?? [])
    .filter(({ notes }) => notes > 0)
    .toSorted((one, other) => Number(other.workspace === 'global') - Number(one.workspace === 'global') || other.notes - one.notes);
  const workspace = chosen ?? filled[0]?.workspace;
  const titles = Object.fromEntries(filled.map(({ workspace: one, notes }) => [one, `${workspaceTitle(one)} (${countOf(notes, 'note')})`]));
  return (
    <PageFrame
      title="Shared notes"
      intro="Notes that the services of the team share. A note is information that a member gave to a service, not an instruction."
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
            <Empty title="No notes yet">Services with team memory upload notes if AGENT_TEAM_MEMORY_SYNC is on.</Empty>
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

function NoteList({ workspace }: { readonly workspace: string }) {
  const { role } = useMembership();
  const loaded = useLoaded(workspace, (signal) => readNotes(workspace, signal));
  return (
    <WhenLoaded loaded={loaded} what="notes">
      {({ revision, notes, isCut }) => (
        <TeamNoteList
          workspace={workspace}
          notes={notes.map(({ key, value, updatedAt, by, source }) => ({ key, value, updatedAt, by: by?.email, badge: source?.kind }))}
          cutHint={isCut ? `The first ${countOf(notes.length, 'note')} are shown; the export contains all notes.` : undefined}
          readHistory={(key, signal) => call('GET /api/team/memory/notes/history', { query: { workspace, key }, signal })}
          remove={isAtLeast(role, 'member') ? (key) => deleteNote(workspace, key, revision) : undefined}
          onChanged={loaded.reload}
        />
      )}
    </WhenLoaded>
  );
}
