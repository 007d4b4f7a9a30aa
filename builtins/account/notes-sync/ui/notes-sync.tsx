// Renders the synced sets of notes: state, conflicts and actions.
import { useClient } from '#page/kit/hooks.ts';
import { useEvents } from '#page/kit/page/use-events.ts';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { usePageChat } from '#page/kit/page/use-page-chat.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { useState } from 'react';
import { SyncDialog } from './sync-dialog.tsx';
import { SyncSet } from './sync-set.tsx';
import type { SyncState } from './sync-state.ts';
import { targetTexts, type TargetName } from './target-texts.ts';
import { t } from '#page/kit/t.ts';
import './notes-sync.css';

export function NotesSync() {
  const client = useClient();
  const loaded = useLoaded('sync', (signal) => client.call('GET /api/sync/state', { signal }));
  useEvents((event) => ['notes_synced', 'account_changed'].includes(event.kind), 300, loaded.reload);
  // The account unlocks no sync target.
  if (loaded.value?.targets.length === 0) return null;
  return (
    <WhenLoaded loaded={loaded} what={t('state of the notes')}>
      {({ targets, sets }) => (
        <>
          {targets.map((target) => (
            <Target key={target} target={target} sets={sets.filter((one) => one.target === target)} onChanged={loaded.reload} />
          ))}
        </>
      )}
    </WhenLoaded>
  );
}

interface TargetProps {
  readonly target: TargetName;
  readonly sets: SyncState['sets'];
  readonly onChanged: () => void;
}

function Target({ target, sets, onChanged }: TargetProps) {
  const { chatId } = usePageChat();
  const [isAsking, ask] = useState(false);
  const { title, about } = targetTexts[target];
  const agreed = sets.filter(({ isAgreed }) => isAgreed);
  return (
    <section className="page-section" aria-labelledby={`sync-${target}`}>
      <h2 id={`sync-${target}`}>{title}</h2>
      <p className="muted">{about}</p>
      {agreed.length === 0 ? (
        <p className="page-card padded muted sync-none">{t('Nothing is uploaded until you agree.')}</p>
      ) : (
        <ul className="page-card sync-sets" aria-label={title}>
          {agreed.map((set) => (
            <SyncSet key={set.workspace} set={set} onChanged={onChanged} />
          ))}
        </ul>
      )}
      <p>
        <button type="button" className="button" onClick={() => ask(true)}>
          {agreed.length === 0 ? t('Preview the upload…') : t('Sync the notes of the chat…')}
        </button>
      </p>
      {isAsking && (
        <SyncDialog
          target={target}
          chatId={chatId}
          onClose={() => ask(false)}
          onDone={() => {
            ask(false);
            onChanged();
          }}
        />
      )}
    </section>
  );
}
