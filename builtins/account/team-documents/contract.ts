// The contract of team documents: an organisation's rules, held on this machine: signed, stored offline, and in force before the first turn.
import type { Disposable } from 'agent-harness/kernel';
import type { ToolOutcome } from 'agent-harness/plugins/tools';

export interface HeldState {
  /**
   * `waiting`: nothing is here yet, so it is unknown what applies. `held`: the newest known one is in force. `none`: the signed-in user is
   * bound by nothing.
   */
  readonly state: 'waiting' | 'held' | 'none';
  /** Revision of the one in force. */
  readonly revision?: number;
  readonly orgName?: string;
  /** ISO 8601: when the control plane last confirmed that it is the newest. */
  readonly checkedAt?: string;
  /** Why it could not be requested, or why the response was refused. */
  readonly problem?: string;
}

/** A document of one kind, for the signed-in account. The holder disposes it. */
export interface HeldDocument extends Disposable {
  readonly state: HeldState;
  /** Resolves once it is known what applies, or after so many milliseconds since holding began. Never rejects. */
  settled(limitMs: number): Promise<void>;
  /** Asks the control plane now. Rejects as its requests do. */
  refresh(): Promise<HeldState>;
}

export interface HeldKind {
  /** As it is signed: `policy`. */
  readonly kind: string;
  /** Path at the control plane. */
  readonly path: string;
  /** Applies the claims at once; `undefined`: nothing applies. Contract: must not throw. */
  take(claims: Readonly<Record<string, unknown>> | undefined, state: HeldState): void;
}

/** A document to be published for the whole organisation. */
export interface Publication {
  /** Path at the control plane. */
  readonly path: string;
  /** The field that contains it. */
  readonly field: string;
  readonly body: unknown;
  /** The revision that was read; the newest when left out. */
  readonly base?: number | undefined;
  readonly signal: AbortSignal;
}

export interface TeamDocuments {
  /**
   * Holds the newest document of a kind: first the saved one, then what the control plane has, notified within 2 s of each change. A document older
   * than one seen before, a changed one, or one for another account is never used: the last good one holds, and an `error` event says so.
   * Resolves when the saved one is in force.
   */
  hold(kind: HeldKind): Promise<HeldDocument>;
  /** Publishes a document; resolves with the tool's outcome. Rejects as requests of the control plane do. */
  publish(publication: Publication): Promise<ToolOutcome>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    teamDocuments: TeamDocuments;
  }
}
