// Stores state that outlives its component, because rows are unmounted when they scroll out of view and later mounted again.
import { createContext, use, useCallback, useState } from 'react';

/** State of the rows of the shown chat; each chat has its own map. */
export const StoredStateContext = createContext<Map<string, unknown> | undefined>(undefined);

export function useStoredState<T>(key: string, initial: T): readonly [T, (value: T) => void] {
  const kept = use(StoredStateContext);
  const [value, setValue] = useState<T>(() => (kept?.has(key) ? (kept.get(key) as T) : initial));
  const change = useCallback(
    (next: T) => {
      kept?.set(key, next);
      setValue(next);
    },
    [kept, key],
  );
  return [value, change];
}
