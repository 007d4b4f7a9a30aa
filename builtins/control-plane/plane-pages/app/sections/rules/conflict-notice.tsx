// Renders the notice that another administrator published during this edit: shows the other changes, and the options for continuing.
import { lazyPart } from '#page/kit/lazy-part.ts';
import { Suspense, useState } from 'react';
import type { Published } from './rules-document.ts';
import { documentText } from './document-text.ts';

const Difference = lazyPart(async () => (await import('./difference.tsx')).Difference);

export interface ConflictNoticeProps<T> {
  readonly before: T;
  readonly theirs: Published<T>;
  /** Applies the user's change on top of the other one. */
  readonly onMerge: () => void;
  /** Discards the user's change. */
  readonly onDiscard: () => void;
}

export function ConflictNotice<T>({ before, theirs, onMerge, onDiscard }: ConflictNoticeProps<T>) {
  const [isOpen, open] = useState(false);
  const { revision, by, document } = theirs;
  return (
    <div className="page-notice warn conflict" role="alert">
      <p>
        <strong>{by === undefined ? `Revision ${revision} was published meanwhile.` : `${by} published revision ${revision} meanwhile.`}</strong> Your change is
        not published, but still on this page.
      </p>
      <div className="page-actions">
        <button type="button" className="button primary" onClick={onMerge}>
          Apply my change on top
        </button>
        <button type="button" className="button" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
          Show their changes
        </button>
        <button type="button" className="button danger" onClick={onDiscard}>
          Discard my change
        </button>
      </div>
      {isOpen && (
        <div className="conflict-difference">
          <Suspense fallback={null}>
            <Difference before={documentText(before)} after={documentText(document)} id="theirs" />
          </Suspense>
        </div>
      )}
    </div>
  );
}
