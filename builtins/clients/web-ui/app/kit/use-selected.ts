// Selects part of a store, so that a component rerenders only when that part changes.
import type { Store } from 'agent-harness/client';
import { useSyncExternalStore } from 'react';

/** @param select must return the same object for the same state */
export function useSelected<T, S>(store: Store<T>, select: (value: T) => S): S {
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}
