// Manages the one-time states of pending account connections.
import { randomBytes } from 'node:crypto';

export interface SignIn {
  readonly provider: string;
  readonly mode: 'read_write' | 'read_only';
}

export interface SignIns {
  /** Returns 32 hex digits, valid for one use within 10 minutes. */
  begin(signIn: SignIn): string;
  /** Returns the pending sign-in; `undefined` if the state is unknown, used or expired. */
  use(state: string): SignIn | undefined;
}

const lifeMs = 600_000;
/** Maximum number of pending sign-ins; a new one replaces the oldest. */
const maximumOpen = 32;

export function createSignIns(now: () => number = () => performance.now()): SignIns {
  const open = new Map<string, SignIn & { readonly until: number }>();
  return {
    begin(signIn) {
      for (const [state, { until }] of open) if (until <= now() || open.size >= maximumOpen) open.delete(state);
      const state = randomBytes(16).toString('hex');
      open.set(state, { ...signIn, until: now() + lifeMs });
      return state;
    },
    use(state) {
      const signIn = open.get(state);
      open.delete(state);
      return signIn !== undefined && signIn.until > now() ? signIn : undefined;
    },
  };
}
