// Defines the contract of managed inference: the wallets of organisations and the caps of members.

import type { Query } from 'agent-harness/builtins/control-plane/plane-database';

/** All amounts are whole micro-credits; 1,000,000 of them are one credit, which is one USD. */
export interface WalletState {
  readonly capMicro: number;
  /** Usage in this period. */
  readonly usedMicro: number;
  /** Credit reserved by running calls. */
  readonly heldMicro: number;
  /** Credit that is available to a new call. */
  readonly remainingMicro: number;
  readonly periodStart: Date;
  /** `undefined` if the period has no end. */
  readonly periodEnd?: Date;
}

export interface WalletTerms {
  readonly capMicro?: number;
  /** `month`: usage is reset every month. */
  readonly period?: 'month' | 'none';
  /** IANA time zone that determines month boundaries. */
  readonly timeZone?: string;
}

/** A limit on how much of the wallet a member can use per period. */
export interface MemberCap extends Pick<WalletState, 'capMicro' | 'usedMicro' | 'heldMicro'> {
  readonly userId: string;
}

export interface Wallets {
  /** Returns the state of the wallet; a wallet that was never set has a cap of 0. */
  state(orgId: string): Promise<WalletState>;
  /** Returns the state of one member; `undefined` if the member has no individual cap. */
  memberState(orgId: string, userId: string): Promise<Pick<WalletState, 'capMicro' | 'usedMicro' | 'heldMicro'> | undefined>;
  /** Returns the members that have an individual cap. */
  memberCaps(orgId: string): Promise<readonly MemberCap[]>;
  /** Changes only the given terms. */
  set(orgId: string, terms: WalletTerms): Promise<WalletState>;
  /** Sets the cap of a member; `undefined` removes it. @param after runs at the end of the same transaction */
  setMemberCap(orgId: string, userId: string, capMicro: number | undefined, after?: (transaction: Query) => Promise<void>): Promise<void>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    wallets: Wallets;
  }
}
