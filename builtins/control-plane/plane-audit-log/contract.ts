// Defines the contract of the audit log, a tamper-evident sequence of the actions in an organisation.
import type { Query } from 'agent-harness/builtins/control-plane/plane-database';

/** An action. It contains no conversation text and no secret. */
export interface AuditAct {
  /** Action in snake_case: `role_changed`, `signed_in`, `policy_changed`. */
  readonly kind: string;
  /** Author of the action; omitted for the operator and for the control plane itself. */
  readonly userId?: string;
  /** Numbers, names and ids as JSON of at most 16 kB. */
  readonly metrics?: Readonly<Record<string, unknown>>;
}

/** An event that a service reports about itself. */
export interface ReportedEvent extends Omit<AuditAct, 'userId'> {
  /** Assigned by the reporter; an event with an id that is already stored is ignored. */
  readonly id: string;
  /** Time by the reporter's clock: ISO 8601. */
  readonly at: string;
  readonly chatId?: string;
  readonly turnId?: string;
}

/** One line of the log. */
export interface AuditEvent extends ReportedEvent {
  /** Sequence number within the organisation. */
  readonly seq: number;
  /** `plane`: observed by the control plane itself. `service`: reported by a member's service. */
  readonly source: 'plane' | 'service';
  readonly userId?: string;
  /** Time of receipt by the control plane's clock: ISO 8601. */
  readonly receivedAt: string;
  /** SHA-256 in hex over this line and the hash of the previous line. */
  readonly hash: string;
}

export interface AuditFilter {
  /** Received at or after this time: ISO 8601. */
  readonly since?: string;
  readonly kind?: string;
  /** Returns only lines after this sequence number. */
  readonly after?: number;
  /** Returns only lines before this sequence number. */
  readonly before?: number;
  /** Whether to return the newest lines first; default: oldest first. */
  readonly isNewestFirst?: boolean;
  /** Maximum number of lines. */
  readonly limit: number;
}

/** Result of verifying the hash chain. */
export type ChainCheck =
  | {
      readonly ok: true;
      readonly events: number;
      /** Hash of the newest line; comparing it with an external copy reveals any earlier change. */ readonly head: string;
    }
  | { readonly ok: false; readonly events: number; /** The first line that does not match. */ readonly brokenAt: number; readonly why: string };

export interface Audit {
  /**
   * Adds an action of the control plane itself. Inside a transaction, call it last: the line is committed with the transaction, and the organisation's log
   * stays locked until then. Rejects with the database's error.
   */
  record(orgId: string, act: AuditAct, transaction?: Query): Promise<void>;
  /** Adds reported events in order; an event that is already stored counts as a duplicate. */
  report(orgId: string, userId: string, events: readonly ReportedEvent[]): Promise<{ readonly stored: number; readonly duplicates: number }>;
  read(orgId: string, filter: AuditFilter): Promise<readonly AuditEvent[]>;
  /** Returns the kinds of actions in the log, by name. */
  kinds(orgId: string): Promise<readonly string[]>;
  /** Verifies the hash chain of all stored lines. */
  verify(orgId: string): Promise<ChainCheck>;
  /** Returns the retention in days; `null` for no limit. */
  retention(orgId: string): Promise<number | null>;
  /** Sets the retention. @param days `null` for no limit */
  keepFor(orgId: string, days: number | null): Promise<void>;
  /** Removes lines that exceed their organisation's retention period. Resolves with the number of removed lines. */
  sweep(): Promise<number>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    audit: Audit;
  }
}
