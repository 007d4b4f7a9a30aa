// Connections to elsewhere: accounts at providers, MCP servers and OpenAPI documents, listed in one place; and where their entries and secrets are kept.
import type { Series } from 'agent-harness/kernel';

export type ConnectionStatus =
  | 'connected'
  | 'connecting'
  /** It ended or cannot be reached; `error` says why. */
  | 'failed'
  /** Somebody must sign in first. */
  | 'needs_sign_in'
  /** It came with a workspace that nobody has trusted yet. */
  | 'needs_trust';

/** A server or document whose operations are tools. */
export interface Connection {
  /** Unique within its kind. */
  readonly name: string;
  /** Of its source; entries of it are added and removed at `/api/integrations/<kind>`. */
  readonly kind: string;
  readonly status: ConnectionStatus;
  readonly toolCount: number;
  /** Where somebody signs in, or gives more rights, while that is open. */
  readonly authorizeUrl?: string;
  /** A sentence for people. */
  readonly error?: string;
}

export interface ProviderAccount {
  readonly accountId: string;
  readonly email?: string;
  readonly name?: string;
  readonly mode: 'read_write' | 'read_only';
  readonly scopes: readonly string[];
  /** ISO 8601 UTC. */
  readonly expiresAt?: string;
  /** `false`: a person must sign in again. */
  readonly healthy: boolean;
  /** `false`: its token could not be refreshed for want of the network or of the hosted site; the account may be fine. */
  readonly reachable?: boolean;
}

export type ProviderStatus =
  /** One account or more works; what is wrong with another one stands at that account. */
  | 'connected'
  | 'disconnected'
  /** No account works, and with one or more a person must sign in again. */
  | 'unhealthy'
  /** No account can be reached. */
  | 'unreachable';

/** A service at which people have accounts. */
export interface Provider {
  readonly id: string;
  readonly title: string;
  /** What it is: `code host`, `notes app`, … */
  readonly kind: string;
  readonly status: ProviderStatus;
  readonly accounts: readonly ProviderAccount[];
}

/** Contribution point `connection_source`: whoever keeps connections lists them. Contract: must not wait for the network. */
export interface ConnectionSource {
  /** Unique. */
  readonly name: string;
  readonly connections?: () => readonly Connection[] | Promise<readonly Connection[]>;
  readonly providers?: () => readonly Provider[] | Promise<readonly Provider[]>;
}

/**
 * Entries in `integrations.json` of the home folder, by section and name. Secrets in an entry are sealed by whoever
 * writes it: the file can be copied without them.
 */
export interface ConnectionStore {
  /** All entries of a section; empty where there are none. */
  entries<T>(section: string): Promise<Readonly<Record<string, T>>>;
  /** Read, change, write with nobody between, other processes included. Answers what was written; `undefined` removes. */
  update<T>(section: string, name: string, change: (current: T | undefined) => T | undefined): Promise<T | undefined>;
  /**
   * Runs what nobody else may do at the same time under that name, other processes included. Rejects with what `work` rejects with, and with
   * `STORAGE_ERR_BUSY` where another one has not ended within 10 s.
   */
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Encrypts (AES-256-GCM, a key of its own file in the home folder, mode 0600). */
  seal(text: string): Promise<string>;
  /** `undefined` where it was not sealed with this home folder's key. */
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
    /** A connection or account came, went or changed its status. Emitted by whoever keeps it through the hook of that name. */
    integration_changed: { readonly connectionKind: string; readonly name: string; readonly status: string };
  }
  interface Hooks {
    /** Says that a connection changed: `plugins/connections` tells clients. */
    'connection.changed': Series<[{ readonly kind: string; readonly name: string; readonly status: string }]>;
  }
}
