// Renders the dialog that previews the notes to upload before a sync.
import { useClient } from '#page/kit/hooks.ts';
import { Modal } from '#page/kit/modal.tsx';
import { formatCount } from '#page/kit/page/format.ts';
import { FormEnd } from '#page/kit/page/form-end.tsx';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { useSentForm } from '#page/kit/page/use-sent-form.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { targetTexts, workspaceText, type TargetName } from './target-texts.ts';
import { t, tn } from '#page/kit/t.ts';

export interface SyncDialogProps {
  readonly target: TargetName;
  /** Default: the active chat. */
  readonly chatId: string | undefined;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Maximum number of notes per set in the preview. */
const shownAtMost = 50;

export function SyncDialog({ target, chatId, onClose, onDone }: SyncDialogProps) {
  const client = useClient();
  const which = { target, ...(chatId === undefined ? {} : { chatId }) };
  const loaded = useLoaded(`${target} ${chatId ?? ''}`, (signal) => client.call('GET /api/sync/preview', { query: which, signal }));
  const form = useSentForm(() => client.call('POST /api/sync/run', { body: which }), onDone);
  return (
    <Modal title={targetTexts[target].title} description={t('These notes are uploaded to the control plane and synchronised from then on.')} onClose={onClose}>
      <form className="page-form" onSubmit={form.submit}>
        <WhenLoaded loaded={loaded} what={t('preview')}>
          {({ sets }) => (
            <div className="sync-preview">
              {sets.length === 0 && <p>{t('The workspace of this chat has no notes to synchronise. Open a chat in a folder of the team.')}</p>}
              {sets.map(({ workspace, total, characters, notes, refused }) => (
                <section key={workspace} aria-label={workspaceText({ workspace })}>
                  <h3>{workspaceText({ workspace })}</h3>
                  <p className="muted small">
                    {t('{notes}, {characters} characters', { notes: tn(total, '{count} note', '{count} notes'), characters: formatCount(characters) })}
                    {refused.length > 0 && (
                      <>
                        ;{' '}
                        {tn(
                          refused.length,
                          '{count} note is not uploaded, because it may contain a secret or is too long',
                          '{count} notes are not uploaded, because they may contain secrets or are too long',
                        )}
                      </>
                    )}
                  </p>
                  <ul className="sync-kept small">
                    {notes.slice(0, shownAtMost).map(({ id, isDeletion }) => (
                      <li key={id}>
                        {id} {isDeletion && <span className="muted">{t('(deletion)')}</span>}
                      </li>
                    ))}
                  </ul>
                  {notes.length > shownAtMost && <p className="muted small">{t('And {count} more.', { count: formatCount(notes.length - shownAtMost) })}</p>}
                </section>
              ))}
            </div>
          )}
        </WhenLoaded>
        <FormEnd
          problem={form.problem}
          isBusy={form.isBusy}
          isIncomplete={!loaded.value || loaded.value.sets.length === 0}
          label={t('Keep in sync')}
          busyLabel={t('Sending…')}
          onClose={onClose}
        />
      </form>
    </Modal>
  );
}
