// Defines the contract of the control plane's database: PostgreSQL on a server, or embedded in this process.
import type { Disposable, Series } from 'agent-harness/kernel';

/** Runs queries, inside or outside a transaction. */
export interface Query {
  /**
   * Runs one statement with `$1` parameters and resolves with its rows. Returns `bigint` columns as numbers (and rejects unsafe integers), `timestamptz` as
   * `Date`, `jsonb` as its parsed value. Rejects with `PLANE_DATABASE_ERR_UNAVAILABLE` (503) if the database is unreachable, with `PLANE_DATABASE_ERR_VALUE`
   * (400) if a parameter does not fit its column, and otherwise with the database's error, whose `code` is the SQLSTATE.
   */
  query<T = Readonly<Record<string, unknown>>>(sql: string, parameters?: readonly unknown[]): Promise<T[]>;
}

export interface TransactionOptions {
  /**
   * `durable` (default): on disk before the acknowledgement. `soon`: a crash of the database may lose the last second; for short-lived data, such as a credit
   * reservation.
   */
  readonly commit?: 'durable' | 'soon';
}

export interface DatabaseStatus {
  readonly kind: 'postgresql' | 'embedded';
  readonly version: string;
  readonly migrations: number;
}

export interface Database extends Query {
  /**
   * Resolves once the database is connected and migrated. Rejects with an instruction for the user.
   * @param options `isServing`: opens the database as a serving node. An embedded database allows one serving node, and CLI commands can share it
   */
  ready(options?: { readonly isServing?: boolean }): Promise<void>;
  /**
   * Notifies every process that listens to the channel of this database, including this one. For rare notifications whose loss is acceptable; nodes notify each
   * other through `signals`. @param channel letters and underscores @param payload at most 7,900 bytes
   */
  notify(channel: string, payload: string): Promise<void>;
  /** Receives notifications while the database is connected; notifications at other times are lost. */
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
 * Contribution point `migration`: one step of a plugin's tables. A plugin numbers its steps from 1 without gaps; a released step must never be changed. Plugins
 * are migrated in load order, so a table may refer to those of a required plugin.
 */
export interface Migration {
  readonly number: number;
  /** Summary of the step in kebab-case. */
  readonly name: string;
  /** SQL statements separated by semicolons; all due steps run in one transaction. */
  readonly sql: string;
}

export interface RestoreFacts {
  /** Time of the backup: ISO 8601. */
  readonly at: string;
  /** Whether all services must sign in again. */
  readonly isSignOut: boolean;
}

/**
 * Contribution point `restore_step`: adjusts a plugin's data after a restore, because clients may have seen newer data. Numbers that clients store must
 * continue above all values seen, and revocations must remain in effect.
 */
export interface RestoreStep {
  /** Summary of the step in kebab-case. */
  readonly name: string;
  /** Reads data that must survive the restore from the database that will be replaced. Called only if that database has the tables of this version. */
  keep?(query: Query): Promise<unknown>;
  /** Runs at the end of the restore transaction. @param kept the result of {@link RestoreStep.keep}; omitted if nothing was replaced */
  apply(query: Query, facts: RestoreFacts, kept?: unknown): Promise<void>;
}

/** The database during startup: its tables exist, and nothing else is served yet. */
export type ReadyDatabase = Pick<Database, 'query' | 'transaction'>;

declare module 'agent-harness/kernel' {
  interface Services {
    database: Database;
  }
  interface Hooks {
    /** Emitted each time the database has been opened and migrated, before any other query. Use the argument: `database` itself waits for this hook. */
    'database.ready': Series<[ReadyDatabase]>;
  }
  interface ContributionPoints {
    migration: Migration;
    restore_step: RestoreStep;
  }
}
