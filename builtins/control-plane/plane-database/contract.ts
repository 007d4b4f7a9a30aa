// The contract of the control plane's database: PostgreSQL, or the same embedded in this process.
import type { Disposable, Series } from 'agent-harness/kernel';

/** Queries, inside a transaction or on their own. */
export interface Query {
  /**
   * Runs one statement with `$1` parameters and resolves with its rows. `bigint` columns come as numbers (safe integers; a larger one rejects),
   * `timestamptz` as `Date`, `jsonb` as its parsed value. Rejects with `PLANE_DATABASE_ERR_UNAVAILABLE` (503) if the database cannot be
   * reached, with `PLANE_DATABASE_ERR_VALUE` (400) if a parameter does not fit its column, and with the database's own error, whose `code`
   * is the SQLSTATE, for everything else.
   */
  query<T = Readonly<Record<string, unknown>>>(sql: string, parameters?: readonly unknown[]): Promise<T[]>;
}

export interface TransactionOptions {
  /**
   * `durable` (default): on disk once acknowledged. `soon`: a crash of the database may lose the last second; for data with its own time
   * limit, such as a hold.
   */
  readonly commit?: 'durable' | 'soon';
}

export interface DatabaseStatus {
  readonly kind: 'postgresql' | 'embedded';
  readonly version: string;
  /** Number of applied migrations. */
  readonly migrations: number;
}

export interface Database extends Query {
  /**
   * Resolves once it is connected and every migration is applied. Rejects with a sentence that says what to do.
   * @param options `isServing`: as a serving node, of which an embedded database has one; commands may use it meanwhile
   */
  ready(options?: { readonly isServing?: boolean }): Promise<void>;
  /**
   * Notifies every process of this database that listens to the channel, including this one. For rare notifications that may be lost: nodes notify each
   * other by `signals`. @param channel of letters and underscores @param payload at most 7,900 bytes
   */
  notify(channel: string, payload: string): Promise<void>;
  /** Receives notifications while connected; others are lost. */
  listen(channel: string, listener: (payload: string) => void): Disposable;
  /**
   * All or nothing, at `read committed`. Repeated up to 5 times if the database ends it for a deadlock or a serialization failure, so
   * `work` must not have effects outside it.
   */
  transaction<T>(work: (transaction: Query) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Rejects if it cannot be reached within 2 s. */
  status(): Promise<DatabaseStatus>;
}

/**
 * Contribution point `migration`: one step of a plugin's tables. Numbers of a plugin count up from 1 without a gap; a released step is
 * never changed. Plugins are migrated in the order in which they load, so a table may refer to those of a plugin it requires.
 */
export interface Migration {
  readonly number: number;
  /** kebab-case: what it does. */
  readonly name: string;
  /** Statements, separated by semicolons; run in one transaction with all other due steps. */
  readonly sql: string;
}

export interface RestoreFacts {
  /** When the backup was created: ISO 8601. */
  readonly at: string;
  /** All people are to be signed out, including services. */
  readonly isSignOut: boolean;
}

/**
 * Contribution point `restore_step`: what a plugin does after a backup was restored, so that clients that have seen newer data are not misled. Numbers
 * that clients remember continue above all that they may have seen, and what ended since then does not restart.
 */
export interface RestoreStep {
  /** kebab-case: what it does. */
  readonly name: string;
  /** Reads what must not get lost from the database that is about to be replaced, if that has the tables of this version. */
  keep?(query: Query): Promise<unknown>;
  /** In the transaction of the restore, last. @param kept the result of {@link RestoreStep.keep}; left out if nothing was replaced */
  apply(query: Query, facts: RestoreFacts, kept?: unknown): Promise<void>;
}

/** The tables exist, and nothing else is served yet. */
export type ReadyDatabase = Pick<Database, 'query' | 'transaction'>;

declare module 'agent-harness/kernel' {
  interface Services {
    database: Database;
  }
  interface Hooks {
    /** Emitted each time the database was opened and migrated, before any other query; use the argument, as `database` itself waits for this. */
    'database.ready': Series<[ReadyDatabase]>;
  }
  interface ContributionPoints {
    migration: Migration;
    restore_step: RestoreStep;
  }
}
