// One set of notes: when it was alike last, what waits, what was kept of conflicts.
import { useClient } from '#page/kit/hooks.ts';
import { countOf, formatTime } from '#page/kit/page/format.ts';
import { explainError } from '#page/kit/page/explain-error.ts';
import { PlainText } from '#page/kit/plain-text.tsx';
import { useShell } from '#page/kit/shell-context.ts';
import { shortPath } from '#page/kit/words.ts';
import { useState } from 'react';
import type { SyncState } from './sync-state.ts';
import { workspaceText } from './target-texts.ts';

type Set = SyncState['sets'][number];

const conflictsShown = 20;
const sides = { here: 'what stood here', there: 'what stood elsewhere', restored: 'deleted elsewhere, and kept' } as const;

export function SyncSet({ set, onChanged }: { readonly set: Set; readonly onChanged: () => void }) {
  const client = useClient();
  const { tell } = useShell();
  const [isBusy, setBusy] = useState(false);
  const { target, workspace, pending, lastSyncAt, problem, conflicts, refused } = set;
  const name = workspaceText(set);

  async function stop(): Promise<void> {
    setBusy(true);
    try {
      await client.call('POST /api/sync/stop', { body: { target, workspace } });
      tell('Nothing of it leaves by itself any more.');
    } catch (error) {
      tell(explainError(error), 'bad');
    }
    setBusy(false);
    onChanged();
  }

  return (
    <li>
      <div className="sync-set-head">
        <div>
          <p className="sync-set-name" title={name}>
            {shortPath(name, 48)} {pending > 0 && <span className="badge warn">{countOf(pending, 'change')} to send</span>}
          </p>
          <p className="muted small">{lastSyncAt === undefined ? 'Not synced yet' : `Alike since ${formatTime(lastSyncAt)}`}</p>
        </div>
        <button type="button" className="button" disabled={isBusy} aria-label={`Stop keeping ${name} alike`} onClick={() => void stop()}>
          Stop
        </button>
      </div>
      {problem !== undefined && <p className="sync-problem small">{problem}</p>}
      {refused.length > 0 && (
        <details className="page-more">
          <summary>{countOf(refused.length, 'note')} stayed here</summary>
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
          <summary>{countOf(conflicts.length, 'text')} kept of changes at the same time</summary>
          <ul className="sync-kept">
            {conflicts.slice(0, conflictsShown).map(({ at, id, value, side }) => (
              <li key={`${at} ${id} ${side}`}>
                <p>
                  <strong>{id}</strong>{' '}
                  <span className="muted">
                    {sides[side]}, {formatTime(at)}
                  </span>
                </p>
                <p className="sync-kept-text">
                  <PlainText text={value} />
                </p>
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}
