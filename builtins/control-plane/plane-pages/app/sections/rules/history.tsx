// The versions that were published, what each changed, and the way back.
import type { Loaded } from '#page/kit/page/use-loaded.ts';
import { formatTime } from '#page/kit/page/format.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { lazyPart } from '#page/kit/lazy-part.ts';
import { Suspense, useState } from 'react';
import { Row, Rows } from '../../base/rows.tsx';
import { useAct } from '../../base/use-act.ts';
import { useConfirm } from '../../base/use-confirm.tsx';
import type { Version } from './document-editor.tsx';

const Difference = lazyPart(async () => (await import('./difference.tsx')).Difference);

export interface HistoryProps<T> {
  /** Newest first. */
  readonly loaded: Loaded<readonly Version<T>[]>;
  readonly mayWrite: boolean;
  /** Publishes it again, as the next revision. */
  restore(version: Version<T>): Promise<unknown>;
  readonly onRestored: () => void;
}

const shownAtOnce = 10;

export function History<T>({ loaded, mayWrite, restore, onRestored }: HistoryProps<T>) {
  const [openAt, open] = useState<number>();
  const [count, setCount] = useState(shownAtOnce);
  const { isBusy, run } = useAct();
  const [ask, dialog] = useConfirm();
  return (
    <section className="page-section" aria-labelledby="history-title">
      <h2 id="history-title">History</h2>
      <WhenLoaded loaded={loaded} what="history">
        {(versions) =>
          versions.length === 0 ? (
            <p className="muted">Nothing was published yet.</p>
          ) : (
            <Rows label="Versions, newest first">
              {versions.slice(0, count).map((version, index) => {
                const before = versions[index + 1];
                const isOpen = openAt === version.revision;
                return (
                  <Row
                    key={version.revision}
                    title={`Revision ${version.revision}`}
                    badges={index === 0 && <span className="badge good">in force</span>}
                    about={[version.at === undefined ? '' : formatTime(version.at), version.by === undefined ? '' : `by ${version.by}`]
                      .filter(Boolean)
                      .join(' ')}
                    actions={
                      <>
                        <button type="button" className="button" aria-expanded={isOpen} onClick={() => open(isOpen ? undefined : version.revision)}>
                          What changed
                        </button>
                        {mayWrite && index > 0 && (
                          <button
                            type="button"
                            className="button"
                            disabled={isBusy}
                            onClick={() =>
                              ask({
                                title: `Bring back revision ${version.revision}?`,
                                text: 'It is published again as the next revision, and reaches connected services within seconds.',
                                action: 'Bring back',
                                go: () =>
                                  void run(() => restore(version), `Revision ${version.revision} is in force again.`).then((isDone) => isDone && onRestored()),
                              })
                            }
                          >
                            Bring back
                          </button>
                        )}
                      </>
                    }
                  >
                    {isOpen && (
                      <Suspense fallback={null}>
                        <Difference before={before ? textOf(before.document) : ''} after={textOf(version.document)} id={`revision-${version.revision}`} />
                      </Suspense>
                    )}
                  </Row>
                );
              })}
            </Rows>
          )
        }
      </WhenLoaded>
      {(loaded.value?.length ?? 0) > count && (
        <p className="more-of">
          <button type="button" className="button" onClick={() => setCount(count + shownAtOnce)}>
            Show more
          </button>
        </p>
      )}
      {dialog}
    </section>
  );
}

const textOf = (document: unknown): string => JSON.stringify(document, null, 2);
