// Defines the contract of the control plane's database: PostgreSQL on a server, or embedded in this process.
import type { Disposable, Series } from 'agent-harness/kernel';

/** Queries, inside a transaction or on their own. */
export interface Query {
  /**
   * Runs one statement with `$1` parameters and resolves with its rows. Returns `bigint` columns as numbers (rejects unsafe integers),
   * `timestamptz` as `Date`, `jsonb` as its parsed value. Rejects with `PLANE_DATABASE_ERR_UNAVAILABLE` (503) if the database is
   * unreachable, with `PLANE_DATABASE_ERR_VALUE` (400) if a parameter does not fit its column, and otherwise with the database's error, whose `code`
   * is the SQLSTATE.
   */
  query<T = Readonly<Record<string, unknown>>>(sql: string, parameters?: readonly unknown[]): Promise<T[]>;
}

export interface TransactionOptions {
  /**
   * `durable` (default): on disk before the acknowledgement. `soon`: a crash of the database may lose the last second; for short-lived data, such as
   * a hold.
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
   * Resolves once the database is connected and migrated. Rejects with an instruction for the user.
   * @param options `isServing` opens it as a serving node; an embedded database allows one serving node, and commands may share it
   */
  ready(options?: { readonly isServing?: boolean }): Promise<void>;
  /**
   * Notifies every process that listens to the channel of this database, including this one. For rare notifications that may be lost; nodes notify each
   * other by `signals`. @param channel letters and underscores @param payload at most 7,900 bytes
   */
  notify(channel: string, payload: string): Promise<void>;
  /** Receives notifications while connected; loses others. */
  listen(channel: string, listener: (payload: string) => void): Disposable;
  /**
   * Runs a transaction at `read committed`. Repeats it up to 5 times after a deadlock or a serialization failure, so
   * `work` must not have external effects.
   */
  transaction<T>(work: (transaction: Query) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Returns the status of the database. Rejects if it is unreachable for 2 s. */
  status(): Promise<DatabaseStatus>;
}

/**
 * Contribution point `migration`: one step of a plugin's tables. Numbers of a plugin start at 1 without gaps; a released step is
 * never changed. Plugins are migrated in load order, so a table may refer to those of a required plugin.
 */
export interface Migration {
  readonly number: number;
  /** Summary of the step in kebab-case. */
  readonly name: string;
  /** Statements separated by semicolons; all due steps run in one transaction. */
  readonly sql: string;
}

export interface RestoreFacts {
  /** Time of the backup: ISO 8601. */
  readonly at: string;
  /** Whether all services must sign in again. */
  readonly isSignOut: boolean;
}

/**
 * Contribution point `restore_step`: adjusts a plugin's data after a restore for clients that have seen newer data. Numbers
 * that clients remember continue above all seen values, and revoked data stays revoked.
 */
export interface RestoreStep {
  /** Summary of the step in kebab-case. */
  readonly name: string;
  /** Reads data that must survive from the database to be replaced, if that has the tables of this version. */
  keep?(query: Query): Promise<unknown>;
  /** Runs last in the transaction of the restore. @param kept the result of {@link RestoreStep.keep}; left out if nothing was replaced */
  apply(query: Query, facts: RestoreFacts, kept?: unknown): Promise<void>;
}

/** The database during startup: its tables exist, and nothing else is served yet. */
export type ReadyDatabase = Pick<Database, 'query' | 'transaction'>;

declare module 'agent-harness/kernel' {
  interface Services {
    database: Database;
  }
  interface Hooks {
    /** Emitted each time the database was opened and migrated, before any other query. Use the argument: `database` itself waits for this hook. */
    'database.ready': Series<[ReadyDatabase]>;
  }
  interface ContributionPoints {
    migration: Migration;
    restore_step: RestoreStep;
  }
}
