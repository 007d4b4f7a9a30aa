// Finds whoever asks the database by another way while their own transaction is open.
import { AsyncLocalStorage } from 'node:async_hooks';

export interface Nesting {
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Throws inside of a transaction. */
  refuse(): void;
}

/**
 * The embedded database has one connection, so such a question would wait for the transaction that waits for it; of PostgreSQL it takes a
 * second connection out of a pool that enough of them empty. Both are refused at once, so that a test finds it whichever it has.
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
      if (current.getStore()?.isOpen) throw new Error('The database was asked past the transaction that is open; ask through the transaction.');
    },
  };
}
