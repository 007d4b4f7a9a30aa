// Defines the contract of managed inference: the wallets of organisations and the caps of members.

import type { Query } from 'agent-harness/builtins/control-plane/plane-database';

/** All amounts are whole micro-credits; 1,000,000 of them are one credit, which is one USD. */
export interface WalletState {
  readonly capMicro: number;
  /** Usage in this period. */
  readonly usedMicro: number;
  /** Credit reserved by running calls. */
  readonly heldMicro: number;
  /** Credit available to a new call. */
  readonly remainingMicro: number;
  readonly periodStart: Date;
  /** `undefined` without an end. */
  readonly periodEnd?: Date;
}

export interface WalletTerms {
  readonly capMicro?: number;
  /** `month`: usage is reset each month. */
  readonly period?: 'month' | 'none';
  /** IANA time zone of month boundaries. */
  readonly timeZone?: string;
}

/** A member's limit on the wallet per period. */
export interface MemberCap extends Pick<WalletState, 'capMicro' | 'usedMicro' | 'heldMicro'> {
  readonly userId: string;
}

export interface Wallets {
  /** Returns the state of the wallet; a wallet that was never set has a cap of 0. */
  state(orgId: string): Promise<WalletState>;
  /** Returns the state of one member; `undefined` without a cap of their own. */
  memberState(orgId: string, userId: string): Promise<Pick<WalletState, 'capMicro' | 'usedMicro' | 'heldMicro'> | undefined>;
  /** Returns the members with a cap of their own. */
  memberCaps(orgId: string): Promise<readonly MemberCap[]>;
  /** Changes the given terms, and keeps the others. */
  set(orgId: string, terms: WalletTerms): Promise<WalletState>;
  /** Sets the cap of a member; `undefined` removes it. @param after runs last in the same transaction */
  setMemberCap(orgId: string, userId: string, capMicro: number | undefined, after?: (transaction: Query) => Promise<void>): Promise<void>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    wallets: Wallets;
  }
}
