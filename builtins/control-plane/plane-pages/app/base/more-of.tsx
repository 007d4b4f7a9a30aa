// Renders the button that loads more rows of a list.
import { Problem } from '#page/kit/page/when-loaded.tsx';
import type { Paged } from './use-paged.ts';

export function MoreOf<T>({ paged }: { readonly paged: Paged<T> }) {
  const { hasMore, isLoadingMore, moreProblem, loadMore } = paged;
  return (
    <>
      {moreProblem !== undefined && <Problem title="More rows could not be loaded." text={moreProblem} onRetry={loadMore} />}
      {hasMore && (
        <p className="more-of">
          <button type="button" className="button" disabled={isLoadingMore} onClick={loadMore}>
            {isLoadingMore ? 'Loading…' : 'Show more'}
          </button>
        </p>
      )}
    </>
  );
}
