// One-time states of sign-ins under way.
import { randomBytes } from 'node:crypto';
import { BoundedMap } from 'agent-harness/lib/values';

/** What became of a sign-in. `over`: nobody finished it in time, or it is not known any more. */
export interface SignInOutcome {
  readonly state: 'waiting' | 'signed_in' | 'failed' | 'over';
  /** Why it failed, and what to do. */
  readonly message?: string;
}

export interface SignInStates {
  /** 32 hex digits, good for one use within 5 minutes. */
  begin(): string;
  /** Whether it was good; it is not any more. */
  use(state: string): boolean;
  /** Says what became of one that was used. */
  settle(state: string, outcome: SignInOutcome): void;
  outcome(state: string): SignInOutcome;
}

export const lifeMs = 300_000;
/** Begun and never finished ones; a new one pushes out the oldest. */
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
