// Defines the interface of a database adapter: queries and transactions.
import type { Disposable, KernelError } from 'agent-harness/kernel';
import type { DatabaseStatus, Query, TransactionOptions } from './contract.ts';

export interface ConnectionTransaction extends TransactionOptions {
  /** Whether the time limit is disabled, as for a migration or a backup. */
  readonly isLong?: boolean;
}

export interface Connection extends Query {
  readonly kind: DatabaseStatus['kind'];
  transaction<T>(work: (transaction: Query) => Promise<T>, options?: ConnectionTransaction): Promise<T>;
  /** Notifies at least this process; notifies other processes only if the adapter supports that. */
  notify(channel: string, payload: string): Promise<void>;
  listen(channel: string, listener: (payload: string) => void): Disposable;
  /** Whether another process has opened the database and shares it with this one. */
  readonly isJoined: boolean;
  close(): Promise<void>;
}

export type MakeError = (
  reason:
    | 'UNAVAILABLE'
    | 'REFUSED'
    | 'VALUE'
    | 'BAD_URL'
    | 'IN_USE'
    | 'BROKEN'
    | 'BACKUP'
    | 'NOT_EMPTY'
    | 'NO_FILE'
    | 'SERVED'
    | 'MIGRATION'
    | 'NEWER'
    | 'NOT_INSTALLED',
  details?: Readonly<Record<string, unknown>>,
  cause?: unknown,
) => KernelError;

/** Name under which a PostgreSQL server lists the nodes among its clients. */
export const applicationName = 'agent-harness control plane';

/** SQLSTATEs of deadlocks and serialization failures, on which PostgreSQL aborts a transaction. */
const repeatable = new Set(['40001', '40P01']);
const tries = 5;

/** Repeats work whose transaction the database aborted because of a deadlock or a serialization failure. */
export async function withRepeats<T>(work: () => Promise<T>): Promise<T> {
  for (let left = tries; ; left--) {
    try {
      return await work();
    } catch (fault) {
      const code = (fault as { readonly code?: unknown } | null)?.code;
      if (left <= 1 || typeof code !== 'string' || !repeatable.has(code)) throw fault;
    }
  }
}

const dataCorrupted = 'XX001';

/** Converts `bigint` columns (money, counters) to numbers; rejects values outside the safe integer range. */
export function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw Object.assign(new RangeError(`the database contains the number ${text}, which is outside the safe integer range`), { code: dataCorrupted });
  }
  return value;
}
