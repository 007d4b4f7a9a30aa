// State that outlives its component: rows are unmounted when scrolled away, and remounted unchanged.
import { createContext, use, useCallback, useState } from 'react';

/** Created anew for each chat. */
export const KeptContext = createContext<Map<string, unknown> | undefined>(undefined);

export function useKept<T>(key: string, initial: T): readonly [T, (value: T) => void] {
  const kept = use(KeptContext);
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
