// Detects queries that run outside a transaction while the caller has a transaction open.
import { AsyncLocalStorage } from 'node:async_hooks';

export interface Nesting {
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Throws while a transaction of the caller is open. */
  refuse(): void;
}

/**
 * Creates the check. With the embedded database's single connection, such a query would deadlock with the transaction; with PostgreSQL, it would take a second
 * connection from a limited pool. Both adapters refuse it immediately, so that tests find it.
 */
export function createNesting(): Nesting {
  const current = new AsyncLocalStorage<{ isOpen: boolean }>();
  return {
    async run(work) {
      const transaction = { isOpen: true };
      try {
        return await current.run(transaction, work);
      } finally {
        transaction.isOpen = false;
      }
    },
    refuse() {
      if (current.getStore()?.isOpen) throw new Error('A query was sent outside the open transaction. Send it through the transaction.');
    },
  };
}
