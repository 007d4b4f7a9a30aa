// Renders the preview of a call: changes made in a copy of the workspace, text diffs, and the output.
import type { Approval } from 'agent-harness/client';
import { showHidden } from '#lib/hidden-text';
import { DiffView } from '../../kit/diff/diff-view.tsx';
import { PlainText } from '../../kit/plain-text.tsx';
import { t, table, tn } from '../../kit/t.ts';
import './rehearsal.css';

type Shown = NonNullable<Approval['rehearsal']>;
type Change = NonNullable<Shown['changes']>[number];

const kinds: Readonly<Record<Change['kind'], string>> = table({
  added: 'new',
  edited: 'edited',
  deleted: 'deleted',
  moved: 'moved',
  mode: 'mode',
  touched: 'new timestamp',
});

/** @param isEdited whether the command was edited after the preview */
export function CallPreview({ rehearsal, isEdited }: { readonly rehearsal: Shown; readonly isEdited: boolean }) {
  const { state, why = '', changes = [], more = 0, diff, output = '', ok = true } = rehearsal;
  if (state === 'running') {
    return (
      <p className="rehearsal-note small" role="status">
        {t('A preview is running in a copy of the workspace. If you approve now, the command runs without a preview.')}
      </p>
    );
  }
  if (state === 'none') {
    return (
      <p className="rehearsal-note small">
        {t('The changes cannot be previewed.')} <PlainText text={why} />
      </p>
    );
  }
  return (
    <section className="rehearsal" aria-label={t('Changes')}>
      {!ok && <p className="small">{t('The preview failed. Approving runs the command for real.')}</p>}
      <p className="small">
        {isEdited && t('This preview is of the command before your edit.')}{' '}
        {changes.length === 0
          ? t('Preview (ran in a copy): no changes in the workspace.')
          : ok
            ? isEdited
              ? t('Changes in the copy:')
              : t('Preview (ran in a copy). Approving applies exactly these changes:')
            : t('Changes in the copy before it failed:')}
      </p>
      {changes.length > 0 && (
        <ul className="rehearsal-changes small">
          {changes.map((change) => (
            <ChangeRow key={`${change.kind} ${change.path}`} change={change} />
          ))}
          {more > 0 && <li>{tn(more, 'and {count} more', 'and {count} more')}</li>}
        </ul>
      )}
      {diff !== undefined && (
        <details>
          <summary className="small">{t('View diff')}</summary>
          <DiffView diff={showHidden(diff)} id="rehearsal" isWhole />
        </details>
      )}
      {output !== '' && (
        <details open={!ok}>
          <summary className="small">{t('Output of the preview')}</summary>
          <pre className="rehearsal-output">
            <PlainText text={output} />
          </pre>
        </details>
      )}
    </section>
  );
}

function ChangeRow({ change: { kind, path, from, what, why, added, removed } }: { readonly change: Change }) {
  return (
    <li>
      <span className={`badge rehearsal-${kind}`}>{t(kinds[kind])}</span>{' '}
      <code dir="ltr">
        <PlainText text={from === undefined ? path : `${from} → ${path}`} />
      </code>
      {what !== undefined && (
        <span className="muted">
          {' '}
          <PlainText text={what} />
        </span>
      )}
      {added !== undefined && removed !== undefined && (
        <>
          {' '}
          <span className="muted" dir="ltr">
            +{added} −{removed}
          </span>
        </>
      )}
      {why !== undefined && (
        <b>
          {' '}
          <PlainText text={why} />
        </b>
      )}
    </li>
  );
}
