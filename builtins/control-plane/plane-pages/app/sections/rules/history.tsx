// Renders the published versions of a document with their changes; a version can be restored.
import { formatTime } from '#page/kit/page/format.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { useState } from 'react';
import { MoreOf } from '../../base/more-of.tsx';
import { Row, Rows } from '#page/kit/page/rows.tsx';
import { useAct } from '#page/kit/page/use-act.ts';
import { useConfirm } from '#page/kit/page/use-confirm.tsx';
import { usePaged } from '../../base/use-paged.ts';
import type { PastVersion, RulesDocument } from './rules-document.ts';

export interface HistoryProps<T> {
  /** Published revision. */
  readonly current: number;
  readonly rules: Pick<RulesDocument<T>, 'history' | 'rollback'>;
  /** Called with the new revision that contains the restored content. */
  readonly onRestored: (revision: number) => void;
}

export function History<T>({ current, rules, onRestored }: HistoryProps<T>) {
  const paged = usePaged('history', async (cursor) => {
    const { versions, before } = await rules.history(cursor === undefined ? undefined : Number(cursor));
    return { items: versions, cursor: before };
  });
  const { isBusy, run } = useAct();
  const [ask, dialog] = useConfirm();
  const restore = (to: number): void =>
    ask({
      title: `Restore revision ${to}?`,
      text: 'It is published as a new revision. Connected services apply it within seconds.',
      action: 'Restore',
      go: () => void run(async () => onRestored((await rules.rollback(current, to)).revision), `Revision ${to} is restored.`),
    });
  return (
    <section className="page-section" aria-labelledby="history-title">
      <h2 id="history-title">History</h2>
      <WhenLoaded loaded={paged} what="history">
        {({ items }) =>
          items.length === 0 ? (
            <p className="muted">No revision is published yet.</p>
          ) : (
            <Rows label="Versions, newest first">
              {items.map((version) => (
                <VersionRow key={version.revision} version={version} isCurrent={version.revision === current} isBusy={isBusy} onRestore={restore} />
              ))}
            </Rows>
          )
        }
      </WhenLoaded>
      <MoreOf paged={paged} />
      {dialog}
    </section>
  );
}

interface VersionRowProps {
  readonly version: PastVersion;
  readonly isCurrent: boolean;
  readonly isBusy: boolean;
  readonly onRestore: (revision: number) => void;
}

function VersionRow({ version: { revision, by, at, differences }, isCurrent, isBusy, onRestore }: VersionRowProps) {
  const [isOpen, open] = useState(false);
  return (
    <Row
      title={`Revision ${revision}`}
      badges={isCurrent && <span className="badge good">active</span>}
      about={`${formatTime(at)} by ${by.email}`}
      actions={
        <>
          <button type="button" className="button" aria-expanded={isOpen} aria-label={`Show changes of revision ${revision}`} onClick={() => open(!isOpen)}>
            Show changes
          </button>
          {!isCurrent && (
            <button type="button" className="button" disabled={isBusy} aria-label={`Restore revision ${revision}`} onClick={() => onRestore(revision)}>
              Restore
            </button>
          )}
        </>
      }
    >
      {isOpen && (differences.length === 0 ? <p className="muted small">No changes.</p> : <Differences differences={differences} />)}
    </Row>
  );
}

function Differences({ differences }: Pick<PastVersion, 'differences'>) {
  return (
    <dl className="differences">
      {differences.map(({ path, before, after }) => (
        <div key={path}>
          <dt>
            <code>{path === '' ? '/' : path}</code>
          </dt>
          {before !== undefined && (
            <dd>
              <span className="visually-hidden">before: </span>
              <del>{valueText(before)}</del>
            </dd>
          )}
          {after !== undefined && (
            <dd>
              <span className="visually-hidden">after: </span>
              <ins>{valueText(after)}</ins>
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

const valueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
