// Remembers the latest few things by id, so that what nobody takes out again does not pile up.

export interface Recent<T> {
  get(id: string): T | undefined;
  set(id: string, item: T): void;
  delete(id: string): void;
}

const limit = 500;

export function keepLately<T>(): Recent<T> {
  const items = new Map<string, T>();
  return {
    get: (id) => items.get(id),
    set(id, item) {
      items.set(id, item);
      const [oldest] = items.keys();
      if (items.size > limit && oldest !== undefined) items.delete(oldest);
    },
    delete: (id) => void items.delete(id),
  };
}
