// The database of the control plane: PostgreSQL, or the same embedded in this process.

/** What can be asked, inside of a transaction or by itself. */
export interface Query {
  /**
   * Runs one statement with `$1`-parameters and answers its rows. `bigint` columns come as numbers (safe integers; a larger one rejects),
   * `timestamptz` as `Date`, `jsonb` as what it holds. Rejects with `PLANE_DATABASE_ERR_UNAVAILABLE` (503) where the database cannot be
   * reached, and with the database's own error, whose `code` is the SQLSTATE, for everything else.
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
  /** Resolves once it is connected and every migration is applied. Rejects with a sentence that says what to do. */
  ready(): Promise<void>;
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

declare module 'agent-harness/kernel' {
  interface Services {
    database: Database;
  }
  interface ContributionPoints {
    migration: Migration;
  }
}
