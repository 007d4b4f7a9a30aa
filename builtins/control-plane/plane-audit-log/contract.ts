// The contract of the audit log of a control plane: what happened in an organisation, in a tamper-evident order.
import type { Query } from 'agent-harness/builtins/control-plane/plane-database';

/** An action. It contains no text of a conversation and no secret. */
export interface AuditAct {
  /** snake_case, what was done: `role_changed`, `signed_in`, `policy_changed`. */
  readonly kind: string;
  /** Who did it; left out for the operator and for the control plane itself. */
  readonly userId?: string;
  /** Small facts: numbers, names, ids. JSON of at most 16 kB. */
  readonly metrics?: Readonly<Record<string, unknown>>;
}

/** What a service reports of itself. */
export interface ReportedEvent extends Omit<AuditAct, 'userId'> {
  /** Assigned by the reporter; the same id is stored once. */
  readonly id: string;
  /** When it happened, by the reporter's clock: ISO 8601. */
  readonly at: string;
  readonly chatId?: string;
  readonly turnId?: string;
}

/** One line of the log. */
export interface AuditEvent extends ReportedEvent {
  /** Counts up by one in its organisation. */
  readonly seq: number;
  /** `plane`: observed by the control plane itself. `service`: reported by a member's service. */
  readonly source: 'plane' | 'service';
  readonly userId?: string;
  /** When it was received, by the clock of the control plane: ISO 8601. */
  readonly receivedAt: string;
  /** SHA-256 in hex over this line and the hash of the one before. */
  readonly hash: string;
}

export interface AuditFilter {
  /** Received at or after: ISO 8601. */
  readonly since?: string;
  readonly kind?: string;
  /** After this number. */
  readonly after?: number;
  /** Before this number. */
  readonly before?: number;
  /** Newest first; oldest first when left out. */
  readonly isNewestFirst?: boolean;
  /** Maximum number. */
  readonly limit: number;
}

/** Whether the chain of hashes is intact. */
export type ChainCheck =
  | {
      readonly ok: true;
      readonly events: number;
      /** Hash of the newest line; with a copy elsewhere, any earlier change can be detected. */ readonly head: string;
    }
  | { readonly ok: false; readonly events: number; /** The first line that does not match. */ readonly brokenAt: number; readonly why: string };

export interface Audit {
  /**
   * Adds an action of the control plane itself. Inside a transaction it is committed with that, and locks the organisation's log until it ends: so
   * call it last. Rejects as the database does.
   */
  record(orgId: string, act: AuditAct, transaction?: Query): Promise<void>;
  /** Adds what a service reports, in its order; what was stored before counts as a duplicate. */
  report(orgId: string, userId: string, events: readonly ReportedEvent[]): Promise<{ readonly stored: number; readonly duplicates: number }>;
  read(orgId: string, filter: AuditFilter): Promise<readonly AuditEvent[]>;
  /** Kinds of actions in the log, by name. */
  kinds(orgId: string): Promise<readonly string[]>;
  verify(orgId: string): Promise<ChainCheck>;
  /** Days that events are stored; `null` for no limit. */
  retention(orgId: string): Promise<number | null>;
  keepFor(orgId: string, days: number | null): Promise<void>;
  /** Removes what is older than its organisation wants. Resolves with how many were removed. */
  sweep(): Promise<number>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    audit: Audit;
  }
}
