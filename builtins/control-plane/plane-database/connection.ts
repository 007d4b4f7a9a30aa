// Defines what an adapter provides: queries and transactions for either database.
import type { Disposable, KernelError } from 'agent-harness/kernel';
import type { DatabaseStatus, Query, TransactionOptions } from './contract.ts';

export interface ConnectionTransaction extends TransactionOptions {
  /** For a migration or a backup: no time limit applies. */
  readonly isLong?: boolean;
}

export interface Connection extends Query {
  readonly kind: DatabaseStatus['kind'];
  transaction<T>(work: (transaction: Query) => Promise<T>, options?: ConnectionTransaction): Promise<T>;
  /** Possibly to every process that listens to the channel. */
  notify(channel: string, payload: string): Promise<void>;
  hear(channel: string, listener: (payload: string) => void): Disposable;
  /** Another process has the database open, and shares it with this one. */
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

/** Identifies the nodes of a control plane among other clients of a PostgreSQL server. */
export const applicationName = 'agent-harness control plane';

/** Deadlock and serialization failure: what PostgreSQL ends in favour of other transactions. */
const repeatable = new Set(['40001', '40P01']);
const tries = 5;

/** Runs work that the database may require to repeat. */
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

/** Money and counters are `bigint`; within the safe integer range they are numbers here. */
export function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw Object.assign(new RangeError(`the database holds ${text}, which is beyond what can be counted exactly`), { code: dataCorrupted });
  }
  return value;
}
