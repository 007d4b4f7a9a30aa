// Renders one synced set of notes: last sync, pending changes and conflicts.
import { useClient } from '#page/kit/hooks.ts';
import { formatTime } from '#page/kit/page/format.ts';
import { useAct } from '#page/kit/page/use-act.ts';
import { PlainText } from '#page/kit/plain-text.tsx';
import { shortPath } from '#page/kit/short-texts.ts';
import type { SyncState } from './sync-state.ts';
import { workspaceText } from './target-texts.ts';
import { t, table, tn } from '#page/kit/t.ts';

type Set = SyncState['sets'][number];

const conflictsShown = 20;
const sides = table({ here: 'version of this machine', there: 'version of another machine', restored: 'deleted elsewhere, restored' } as const);

export function SyncSet({ set, onChanged }: { readonly set: Set; readonly onChanged: () => void }) {
  const client = useClient();
  const { isBusy, run } = useAct(onChanged);
  const { target, workspace, pending, lastSyncAt, problem, conflicts, refused } = set;
  const name = workspaceText(set);

  const stop = (): void => void run(() => client.call('POST /api/sync/stop', { body: { target, workspace } }), t('It is no longer sent automatically.'));
  const settle = ({ at, id, side }: Set['conflicts'][number], isUsed: boolean): void =>
    void run(
      () => client.call('POST /api/sync/settle', { body: { target, workspace, at, id, side, isUsed } }),
      isUsed ? t('{id} was restored.', { id }) : t('{id} was not changed.', { id }),
    );

  return (
    <li>
      <div className="sync-set-head">
        <div>
          <p className="sync-set-name" title={name}>
            {shortPath(name, 48)}{' '}
            {pending > 0 && <span className="badge warn">{t('{changes} to send', { changes: tn(pending, '{count} change', '{count} changes') })}</span>}
          </p>
          <p className="muted small">
            {lastSyncAt === undefined ? t('Not synced yet') : t('Last synced {lastSyncAt}', { lastSyncAt: formatTime(lastSyncAt) })}
          </p>
        </div>
        <button type="button" className="button" disabled={isBusy} aria-label={t('Stop syncing {name}', { name })} onClick={stop}>
          {t('Stop')}
        </button>
      </div>
      {problem !== undefined && <p className="sync-problem small">{problem}</p>}
      {refused.length > 0 && (
        <details className="page-more">
          <summary>{t('{notes} not uploaded', { notes: tn(refused.length, '{count} note', '{count} notes') })}</summary>
          <ul className="sync-kept">
            {refused.slice(0, conflictsShown).map(({ id, why }) => (
              <li key={id}>
                <strong>{id}</strong>: {why}
              </li>
            ))}
          </ul>
        </details>
      )}
      {conflicts.length > 0 && (
        <details className="page-more">
          <summary>{t('{texts} from concurrent changes', { texts: tn(conflicts.length, '{count} text', '{count} texts') })}</summary>
          <ul className="sync-kept">
            {conflicts.slice(-conflictsShown).map((conflict) => (
              <li key={`${conflict.at} ${conflict.id} ${conflict.side}`}>
                <p>
                  <strong>{conflict.id}</strong>{' '}
                  <span className="muted">
                    {sides[conflict.side]}, {formatTime(conflict.at)}
                  </span>
                </p>
                <p className="sync-kept-text">
                  <PlainText text={conflict.value} />
                </p>
                <div className="sync-kept-choice">
                  {conflict.side !== 'restored' && (
                    <button
                      type="button"
                      className="button"
                      disabled={isBusy}
                      aria-label={t('Use this text for {id}', { id: conflict.id })}
                      onClick={() => settle(conflict, true)}
                    >
                      {t('Use this text')}
                    </button>
                  )}
                  <button
                    type="button"
                    className="button"
                    disabled={isBusy}
                    aria-label={t('Keep the current text of {id}', { id: conflict.id })}
                    onClick={() => settle(conflict, false)}
                  >
                    {t('Keep the current text')}
                  </button>
                </div>
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}
