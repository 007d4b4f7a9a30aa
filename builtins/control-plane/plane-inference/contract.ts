// The contract of managed inference: the wallet of an organisation, its ledger, and prices.

import type { Query } from 'agent-harness/builtins/control-plane/plane-database';

/** All amounts are whole micro-credits; 1,000,000 of them are one credit, which is one USD. */
export interface WalletState {
  readonly capMicro: number;
  /** In this period. */
  readonly usedMicro: number;
  /** Reserved by calls under way. */
  readonly heldMicro: number;
  /** What a new call may take. */
  readonly remainingMicro: number;
  readonly periodStart: Date;
  /** `undefined` if it does not end. */
  readonly periodEnd?: Date;
}

export interface WalletTerms {
  readonly capMicro?: number;
  /** `month`: usage is reset each month. */
  readonly period?: 'month' | 'none';
  /** IANA time zone in which months begin. */
  readonly timeZone?: string;
}

/** How much of the wallet one member may use in a period. */
export interface MemberCap extends Pick<WalletState, 'capMicro' | 'usedMicro' | 'heldMicro'> {
  readonly userId: string;
}

export interface Wallets {
  /** A wallet that was never set has a cap of 0. */
  state(orgId: string): Promise<WalletState>;
  /** Of one member: `undefined` if they have no cap of their own. */
  memberState(orgId: string, userId: string): Promise<Pick<WalletState, 'capMicro' | 'usedMicro' | 'heldMicro'> | undefined>;
  /** Members who have a cap of their own. */
  memberCaps(orgId: string): Promise<readonly MemberCap[]>;
  /** Changes the given terms only. */
  set(orgId: string, terms: WalletTerms): Promise<WalletState>;
  /** `undefined` removes the cap of the member. @param after runs in the same transaction, last */
  setMemberCap(orgId: string, userId: string, capMicro: number | undefined, after?: (transaction: Query) => Promise<void>): Promise<void>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    wallets: Wallets;
  }
}
