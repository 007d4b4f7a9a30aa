// Manages the one-time states of pending sign-ins.
import { randomBytes } from 'node:crypto';
import { BoundedMap } from '#lib/values';

/** The outcome of a sign-in. `over`: expired or unknown. */
export interface SignInOutcome {
  readonly state: 'waiting' | 'signed_in' | 'failed' | 'over';
  /** Reason for the failure, with an instruction for the user. */
  readonly message?: string;
}

export interface SignInStates {
  /** Starts a sign-in and returns its state: 32 hex digits, valid for one use within 5 minutes. */
  begin(): string;
  /** Invalidates the state and returns whether it was valid. */
  use(state: string): boolean;
  /** Records the outcome for a used state. */
  settle(state: string, outcome: SignInOutcome): void;
  outcome(state: string): SignInOutcome;
}

/** Lifetime of a state in milliseconds. */
export const lifeMs = 300_000;
/** Maximum number of unfinished sign-ins; a new one replaces the oldest. */
const maximumOpen = 32;

export function createSignInStates(now: () => number = () => Date.now()): SignInStates {
  const expiries = new Map<string, number>();
  const outcomes = new BoundedMap<string, SignInOutcome>(maximumOpen);

  return {
    begin() {
      for (const [state, expiry] of expiries) if (expiry <= now() || expiries.size >= maximumOpen) expiries.delete(state);
      const state = randomBytes(16).toString('hex');
      expiries.set(state, now() + lifeMs);
      return state;
    },
    use(state) {
      const expiry = expiries.get(state);
      expiries.delete(state);
      return expiry !== undefined && expiry > now();
    },
    settle: (state, outcome) => void outcomes.set(state, outcome),
    outcome: (state) => outcomes.get(state) ?? { state: (expiries.get(state) ?? 0) > now() ? 'waiting' : 'over' },
  };
}
