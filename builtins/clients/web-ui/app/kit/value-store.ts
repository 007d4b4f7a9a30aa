// Implements an observable value that several components of the page share.
import type { Store } from 'agent-harness/client';

export interface ValueStore<T> extends Store<T> {
  set(value: T): void;
}

export function createValue<T>(first: T): ValueStore<T> {
  const listeners = new Set<() => void>();
  let value = first;
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
