// Renders the shared notes of a workspace with authors and dates.
import { useClient } from '#page/kit/hooks.ts';
import { Empty } from '#page/kit/page/rows.tsx';
import { Select } from '#page/kit/page/select.tsx';
import { useEvents } from '#page/kit/page/use-events.ts';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { usePageChat } from '#page/kit/page/use-page-chat.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { TeamNoteList } from '#page/kit/team-notes/team-note-list.tsx';
import { useState } from 'react';
import { t, tn, tx } from '#page/kit/t.ts';

export function SharedNotes() {
  const client = useClient();
  const { meta } = usePageChat();
  const [chosen, choose] = useState<string>();
  const loaded = useLoaded('team sets', (signal) => client.call('GET /api/team/notes/sets', { signal }));
  useEvents((event) => ['notes_synced', 'account_changed'].includes(event.kind), 300, loaded.reload);
  return (
    <section className="page-section" aria-labelledby="team-notes-title" aria-busy={loaded.isLoading}>
      <h2 id="team-notes-title">{t('Notes of the team')}</h2>
      <WhenLoaded loaded={loaded} what={t('notes of the team')}>
        {({ sets, mayDelete }) => {
          const here = sets.find(({ workspace }) => workspace === meta?.workspaceFingerprint) ?? sets[0];
          const workspace = sets.find((one) => one.workspace === chosen)?.workspace ?? here?.workspace;
          if (workspace === undefined)
            return <Empty title={t('No notes yet')}>{t('Notes come from chats in folders with a git remote whose notes are shared.')}</Empty>;
          const titles = Object.fromEntries(sets.map((one) => [one.workspace, `${one.workspace} (${tn(one.notes, '{count} note', '{count} notes')})`]));
          return (
            <>
              <div className="page-filters">
                <Select label={t('Workspace of the notes')} value={workspace} options={titles} onChange={choose} />
              </div>
              <NoteList key={workspace} workspace={workspace} mayDelete={mayDelete} onChanged={loaded.reload} />
            </>
          );
        }}
      </WhenLoaded>
      {loaded.problem !== undefined && (
        <p className="muted small">{tx('The copies on this machine are still used. See {link}.', { link: <a href="#/memory">{t('Memory')}</a> })}</p>
      )}
    </section>
  );
}

interface NoteListProps {
  readonly workspace: string;
  readonly mayDelete: boolean;
  readonly onChanged: () => void;
}

function NoteList({ workspace, mayDelete, onChanged }: NoteListProps) {
  const client = useClient();
  const loaded = useLoaded(workspace, (signal) => client.call('GET /api/team/notes', { query: { workspace }, signal }));
  useEvents((event) => event.kind === 'notes_synced', 300, loaded.reload);
  return (
    <WhenLoaded loaded={loaded} what={t('notes')}>
      {({ revision, notes, isCut }) => (
        <TeamNoteList
          workspace={workspace}
          notes={notes.map((note) => ({ ...note, badge: note.isOwn ? t('yours') : undefined }))}
          cutHint={isCut ? t('The first {notes} are shown.', { notes: tn(notes.length, '{count} note', '{count} notes') }) : undefined}
          readHistory={(key, signal) => client.call('GET /api/sync/history', { query: { target: 'team', workspace, key }, signal })}
          remove={mayDelete ? (key) => client.call('DELETE /api/team/notes', { query: { workspace, key, revision } }) : undefined}
          onChanged={() => {
            loaded.reload();
            onChanged();
          }}
        />
      )}
    </WhenLoaded>
  );
}
