// Loads a paged list: the first page immediately, further pages on demand.
import { explainError } from '#page/kit/page/explain-error.ts';
import { useLoaded, type Loaded } from '#page/kit/page/use-loaded.ts';
import { useState } from 'react';

export interface Page<T> {
  readonly items: readonly T[];
  /** Cursor of the next page; omitted on the last page. */
  readonly cursor?: string | number | undefined;
}

export interface Paged<T> extends Loaded<Page<T>> {
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly moreProblem: string | undefined;
  loadMore(): void;
}

interface Further<T> extends Page<T> {
  /** First page that these rows continue. */
  readonly of: Page<T>;
}

/** @param key a changed key reloads the list */
export function usePaged<T>(key: string, read: (cursor: Page<T>['cursor'], signal?: AbortSignal) => Promise<Page<T>>): Paged<T> {
  const first = useLoaded(key, (signal) => read(undefined, signal));
  const [further, setFurther] = useState<Further<T>>();
  const [isLoadingMore, setLoading] = useState(false);
  const [moreProblem, setProblem] = useState<string>();
  const known = further && further.of === first.value ? further : undefined;
  const value = first.value && { items: [...first.value.items, ...(known?.items ?? [])], cursor: known ? known.cursor : first.value.cursor };

  async function loadMore(): Promise<void> {
    const of = first.value;
    if (!of || value?.cursor === undefined || isLoadingMore) return;
    setLoading(true);
    setProblem(undefined);
    try {
      const next = await read(value.cursor);
      setFurther({ of, items: [...(known?.items ?? []), ...next.items], cursor: next.cursor });
    } catch (error) {
      setProblem(explainError(error));
    } finally {
      setLoading(false);
    }
  }

  const { value: _, ...rest } = first;
  return { ...rest, ...(value ? { value } : {}), hasMore: value?.cursor !== undefined, isLoadingMore, moreProblem, loadMore: () => void loadMore() };
}
