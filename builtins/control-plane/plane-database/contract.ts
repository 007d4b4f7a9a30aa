// The database of the control plane: PostgreSQL, or the same embedded in this process.
import type { Disposable, Series } from 'agent-harness/kernel';

/** What can be asked, inside of a transaction or by itself. */
export interface Query {
  /**
   * Runs one statement with `$1`-parameters and answers its rows. `bigint` columns come as numbers (safe integers; a larger one rejects),
   * `timestamptz` as `Date`, `jsonb` as what it holds. Rejects with `PLANE_DATABASE_ERR_UNAVAILABLE` (503) where the database cannot be
   * reached, with `PLANE_DATABASE_ERR_VALUE` (400) where a parameter is nothing that its column holds, and with the database's own error, whose `code`
   * is the SQLSTATE, for everything else.
   */
  query<T = Readonly<Record<string, unknown>>>(sql: string, parameters?: readonly unknown[]): Promise<T[]>;
}

export interface TransactionOptions {
  /**
   * `durable` (default): acknowledged means on disk. `soon`: a crash of the database may lose the last second; for what has a time
   * limit of its own, such as a hold.
   */
  readonly commit?: 'durable' | 'soon';
}

export interface DatabaseStatus {
  readonly kind: 'postgresql' | 'embedded';
  readonly version: string;
  /** How many migrations are applied. */
  readonly migrations: number;
}

export interface Database extends Query {
  /**
   * Resolves once it is connected and every migration is applied. Rejects with a sentence that says what to do.
   * @param options `isServing`: as a node that serves, of which an embedded database has one; commands may use it meanwhile
   */
  ready(options?: { readonly isServing?: boolean }): Promise<void>;
  /**
   * Tells every process of this database that listens to the channel, this one included. For what may be lost, and seldom: nodes tell each other by
   * `signals`. @param channel of letters and underscores @param payload at most 7,900 bytes
   */
  notify(channel: string, payload: string): Promise<void>;
  /** Hears what was told from when it is connected; what is told meanwhile is lost. */
  listen(channel: string, listener: (payload: string) => void): Disposable;
  /**
   * All or nothing, at `read committed`. Repeated up to 5 times where the database ends it for a deadlock or a serialization failure, so
   * `work` must not act outside of it.
   */
  transaction<T>(work: (transaction: Query) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Rejects where it cannot be reached within 2 s. */
  status(): Promise<DatabaseStatus>;
}

/**
 * Contribution point `migration`: one step of a plugin's tables. Numbers of a plugin count up from 1 without a gap; a step that was released is
 * never changed. Plugins are migrated in the order in which they load, so a table may refer to those of a plugin it requires.
 */
export interface Migration {
  readonly number: number;
  /** kebab-case: what it does. */
  readonly name: string;
  /** Statements, separated by semicolons; run in one transaction with all others that are due. */
  readonly sql: string;
}

export interface RestoreFacts {
  /** When the backup was made: ISO 8601. */
  readonly at: string;
  /** Nobody is to be signed in any more, services included. */
  readonly isSignOut: boolean;
}

/**
 * Contribution point `restore_step`: what a plugin does when a backup was put back, so that nobody who has seen more than the backup holds is misled. What
 * others keep a number of goes on above all that they may have seen, and what ended since does not begin again.
 */
export interface RestoreStep {
  /** kebab-case: what it does. */
  readonly name: string;
  /** Reads what must not get lost from the database that is about to be replaced, where that has the tables of this version. */
  keep?(query: Query): Promise<unknown>;
  /** In the transaction of the restore, last. @param kept what {@link RestoreStep.keep} answered; left out where nothing was replaced */
  apply(query: Query, facts: RestoreFacts, kept?: unknown): Promise<void>;
}

/** The tables are there, and nobody else is answered yet. */
export type ReadyDatabase = Pick<Database, 'query' | 'transaction'>;

declare module 'agent-harness/kernel' {
  interface Services {
    database: Database;
  }
  interface Hooks {
    /** Once, each time that the database is opened and migrated, before anything else is asked of it; through the argument, as `database` itself waits for this. */
    'database.ready': Series<[ReadyDatabase]>;
  }
  interface ContributionPoints {
    migration: Migration;
    restore_step: RestoreStep;
  }
}
