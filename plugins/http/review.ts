// Looks again at who holds something open: a token may be taken back, and rights may change, without anybody saying so.
import type { Principal } from 'agent-harness/plugins/http';

/** So often by itself. Milliseconds. */
export const reviewEveryMs = 30_000;

/** Something that stays open, and who opened it. */
export interface Held {
  readonly principal: Principal | undefined;
  /** Who that is now; `undefined` where the token is no longer in force. */
  readonly again: (() => Promise<Principal | undefined>) | undefined;
  end(): void;
}

/** Ends what was opened with rights that are others now; who is still let in comes back with those. What cannot be known now stays. */
export async function review(all: Iterable<Held>): Promise<void> {
  await Promise.all(
    [...all].map(async ({ principal, again, end }) => {
      if (!again) return;
      const now = await again().catch(() => principal);
      if (!isSame(principal, now)) end();
    }),
  );
}

function isSame(one: Principal | undefined, other: Principal | undefined): boolean {
  return rightsIn(one) === rightsIn(other);
}

function rightsIn(principal: Principal | undefined): string {
  if (!principal) return '';
  const { kind, id, role, areas, entitlements } = principal;
  return JSON.stringify([kind, id, role, areas ? [...areas].sort() : null, entitlements ? [...entitlements].sort() : null]);
}
