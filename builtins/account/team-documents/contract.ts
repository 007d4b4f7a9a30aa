// Defines the contract of team documents: an organisation's signed rules, stored on disk and applied before the first turn.
import type { Disposable } from 'agent-harness/kernel';
import type { ToolOutcome } from 'agent-harness/plugins/tools';

export interface HeldState {
  /**
   * `waiting`: no document is stored and the control plane has not answered. `held`: the update is not accepted; the newest known document stays in effect. `none`: no rules apply to the
   * signed-in user.
   */
  readonly state: 'waiting' | 'held' | 'none';
  /** Revision of the current document. */
  readonly revision?: number;
  readonly orgName?: string;
  /** ISO 8601 time at which the control plane last confirmed the revision as the newest. */
  readonly checkedAt?: string;
  /** Reason why the last request failed or why its response was refused. */
  readonly problem?: string;
}

/** The current document of one kind for the signed-in account. The caller must dispose it. */
export interface HeldDocument extends Disposable {
  readonly state: HeldState;
  /** Resolves once the current document is known, or after the limit in milliseconds since the start. Never rejects. */
  settled(limitMs: number): Promise<void>;
  /** Requests the document now. Rejects with the control plane's errors. */
  refresh(): Promise<HeldState>;
}

export interface HeldKind {
  /** Kind of document as stated in the signed document, such as `policy`. */
  readonly kind: string;
  /** Path at the control plane. */
  readonly path: string;
  /** Applies the claims of a document immediately; `undefined` means that no rules apply. Contract: must not throw. */
  take(claims: Readonly<Record<string, unknown>> | undefined, state: HeldState): void;
}

/** A document to publish for the whole organisation. */
export interface Publication {
  /** Path at the control plane. */
  readonly path: string;
  /** Field of the request that contains the document. */
  readonly field: string;
  readonly body: unknown;
  /** Revision on which the change is based; default: the newest. */
  readonly base?: number | undefined;
  readonly signal: AbortSignal;
}

export interface TeamDocuments {
  /**
   * Applies the newest document of a kind: first the saved one, then updates from the control plane within 2 s of each change. Ignores outdated or altered
   * documents and documents of another account: the last valid document still applies, and an `error` event reports the problem. Resolves when the saved
   * document applies.
   */
  hold(kind: HeldKind): Promise<HeldDocument>;
  /** Publishes a document; resolves with the tool's outcome. Rejects with the control plane's errors. */
  publish(publication: Publication): Promise<ToolOutcome>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    teamDocuments: TeamDocuments;
  }
}
