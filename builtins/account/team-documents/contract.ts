// What an organisation laid down, held on this machine: signed, kept offline, and in force before the first turn.
import type { Disposable } from 'agent-harness/kernel';
import type { ToolOutcome } from 'agent-harness/plugins/tools';

export interface HeldState {
  /**
   * `waiting`: nothing is here yet, so it is not known what holds. `held`: the newest one that is known is in force. `none`: whoever is signed in is
   * bound by nothing.
   */
  readonly state: 'waiting' | 'held' | 'none';
  /** Of the one in force. */
  readonly revision?: number;
  readonly orgName?: string;
  /** ISO 8601: when the control plane last said that it is the newest. */
  readonly checkedAt?: string;
  /** Why it could not be asked, or what it said was refused. */
  readonly problem?: string;
}

/** Of one kind, for the account that is signed in. Whoever holds it disposes it. */
export interface HeldDocument extends Disposable {
  readonly state: HeldState;
  /** Resolves once it is known what holds, or after so many milliseconds since it was begun to be held. Never rejects. */
  settled(limitMs: number): Promise<void>;
  /** Asks the control plane now. Rejects as its requests do. */
  refresh(): Promise<HeldState>;
}

export interface HeldKind {
  /** As it is signed: `policy`. */
  readonly kind: string;
  /** Of the control plane. */
  readonly path: string;
  /** Puts the claims in force at once; `undefined`: nothing holds. Contract: must not throw. */
  take(claims: Readonly<Record<string, unknown>> | undefined, state: HeldState): void;
}

/** A document as somebody wants it for the whole organisation. */
export interface Publication {
  /** Of the control plane. */
  readonly path: string;
  /** The field in which it travels. */
  readonly field: string;
  readonly body: unknown;
  /** The revision that was read; the newest when left out. */
  readonly base?: number | undefined;
  readonly signal: AbortSignal;
}

export interface TeamDocuments {
  /**
   * Holds the newest document of a kind: first the one that was saved, then what the control plane has, told within 2 s of each change. An older one
   * than was seen, one that somebody changed or one for another person never counts: the last good one holds, and an `error` event says so.
   * Resolves when what was saved is in force.
   */
  hold(kind: HeldKind): Promise<HeldDocument>;
  /** Publishes a document; answers what a tool says of it. Rejects as requests of the control plane do. */
  publish(publication: Publication): Promise<ToolOutcome>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    teamDocuments: TeamDocuments;
  }
}
