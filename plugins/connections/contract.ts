// Defines the contract of external connections: lists accounts at providers, MCP servers and OpenAPI documents, and stores their entries and secrets.
import type { Series } from 'agent-harness/kernel';

export type ConnectionStatus =
  | 'connected'
  | 'connecting'
  /** The connection has ended or its server cannot be reached; `error` contains the reason. */
  | 'failed'
  /** A sign-in is required first. */
  | 'needs_sign_in'
  /** The connection belongs to a workspace that the user has not trusted yet. */
  | 'needs_trust';

/** An MCP server or OpenAPI document whose operations are tools. */
export interface Connection {
  /** Name of the connection; unique within its kind. */
  readonly name: string;
  /** Kind of the source; entries are added and removed at `/api/integrations/<kind>`. */
  readonly kind: string;
  readonly status: ConnectionStatus;
  readonly toolCount: number;
  /** URL for a pending sign-in or authorization. */
  readonly authorizeUrl?: string;
  /** Reason for the status, as a sentence for users. */
  readonly error?: string;
}

export interface ProviderAccount {
  readonly accountId: string;
  readonly email?: string;
  readonly name?: string;
  readonly mode: 'read_write' | 'read_only';
  readonly scopes: readonly string[];
  /** Time at which the access expires, ISO 8601 UTC. */
  readonly expiresAt?: string;
  /** `false`: the user must sign in again. */
  readonly healthy: boolean;
  /** `false`: the token could not be refreshed because the network or the hosted site is unreachable; the account may still be valid. */
  readonly reachable?: boolean;
}

export type ProviderStatus =
  /** At least one account works; errors of other accounts are shown with those accounts. */
  | 'connected'
  | 'disconnected'
  /** No account works, and at least one requires a new sign-in. */
  | 'unhealthy'
  /** No account can be reached. */
  | 'unreachable';

/** A service that users have accounts with. */
export interface Provider {
  readonly id: string;
  readonly title: string;
  /** Category: `code host`, `notes app`, … */
  readonly kind: string;
  readonly status: ProviderStatus;
  readonly accounts: readonly ProviderAccount[];
}

/** Contribution point `connection_source`: lists the connections of a plugin. Contract: must not wait for the network. */
export interface ConnectionSource {
  /** Unique name of the source. */
  readonly name: string;
  readonly connections?: () => readonly Connection[] | Promise<readonly Connection[]>;
  readonly providers?: () => readonly Provider[] | Promise<readonly Provider[]>;
}

/**
 * Stores entries in `integrations.json` in the home folder, by section and name. Code that writes an entry must seal its secrets, because copies of the file
 * must not disclose them.
 */
export interface ConnectionStore {
  /** Returns all entries of a section; an empty object if the section has none. */
  entries<T>(section: string): Promise<Readonly<Record<string, T>>>;
  /** Reads, changes and writes an entry atomically, even across processes. If `change` returns `undefined`, the entry is removed. Returns the new value. */
  update<T>(section: string, name: string, change: (current: T | undefined) => T | undefined): Promise<T | undefined>;
  /**
   * Runs `work` while holding the lock `name`, which also excludes other processes. Rejects with the error of `work`, or with `STORAGE_ERR_BUSY` if the current
   * holder does not finish within 10 s.
   */
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Encrypts a text (AES-256-GCM; the key is in a separate file in the home folder, mode 0600). */
  seal(text: string): Promise<string>;
  /** Decrypts text; returns `undefined` if it was not sealed with the key of this home folder. */
  unseal(sealed: string): Promise<string | undefined>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    connectionStore: ConnectionStore;
  }
  interface ContributionPoints {
    connection_source: ConnectionSource;
  }
  interface Events {
    /** A connection or account was added or removed, or its status changed. The plugin that owns it emits this event through the hook `connection.changed`. */
    integration_changed: { readonly connectionKind: string; readonly name: string; readonly status: string };
  }
  interface Hooks {
    /** Reports a changed connection; `plugins/connections` then notifies clients. */
    'connection.changed': Series<[{ readonly kind: string; readonly name: string; readonly status: string }]>;
  }
}
