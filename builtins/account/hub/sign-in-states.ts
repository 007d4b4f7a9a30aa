// One-time states of sign-ins under way.
import { randomBytes } from 'node:crypto';

export interface SignInStates {
  /** 32 hex digits, good for one use within 5 minutes. */
  begin(): string;
  /** Whether it was good; it is not any more. */
  use(state: string): boolean;
}

export const lifeMs = 300_000;
/** Begun and never finished ones; a new one pushes out the oldest. */
const maximumOpen = 32;

export function createSignInStates(now: () => number = () => Date.now()): SignInStates {
  const expiries = new Map<string, number>();

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
  };
}
