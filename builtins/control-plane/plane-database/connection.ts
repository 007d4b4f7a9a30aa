// What an adapter gives: queries and transactions over whichever database it is.
import type { Disposable, KernelError } from 'agent-harness/kernel';
import type { DatabaseStatus, Query, TransactionOptions } from './contract.ts';

export interface ConnectionTransaction extends TransactionOptions {
  /** Of a migration, a backup: no limit of time holds. */
  readonly isLong?: boolean;
}

export interface Connection extends Query {
  readonly kind: DatabaseStatus['kind'];
  transaction<T>(work: (transaction: Query) => Promise<T>, options?: ConnectionTransaction): Promise<T>;
  /** To every process that hears the channel, perhaps. */
  notify(channel: string, payload: string): Promise<void>;
  hear(channel: string, listener: (payload: string) => void): Disposable;
  /** Another process has the database, and lets this one use it. */
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

/** By which the nodes of a plane are told from others at a PostgreSQL server. */
export const applicationName = 'agent-harness control plane';

/** Deadlock and serialization failure: what PostgreSQL ends for the sake of others. */
const repeatable = new Set(['40001', '40P01']);
const tries = 5;

/** Runs what the database may ask to repeat. */
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

/** Money and counters are `bigint`; within what a number holds exactly they are numbers here. */
export function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw Object.assign(new RangeError(`the database holds ${text}, which is beyond what can be counted exactly`), { code: dataCorrupted });
  }
  return value;
}
