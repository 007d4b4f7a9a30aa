// Who may look at which page in a frame, and for how long. In memory: a server that starts again gives new ones.
import { randomBytes } from 'node:crypto';
import { BoundedMap } from 'agent-harness/lib/values';

export interface Ticket {
  readonly workspaceRoot: string;
  /** Relative to it. */
  readonly path: string;
  readonly hasScripts: boolean;
}

export interface Tickets {
  /** `expiresAt`: ISO 8601. */
  issue(ticket: Ticket): { readonly id: string; readonly expiresAt: string };
  /** `undefined` for one that was never given, or is over. */
  find(id: string): Ticket | undefined;
}

const lifeMs = 10 * 60_000;
/** The oldest goes first. */
const maxTickets = 200;

/** @param now milliseconds since 1970 */
export function createTickets(now: () => number = Date.now): Tickets {
  const tickets = new BoundedMap<string, Ticket & { readonly until: number }>(maxTickets);
  return {
    issue(ticket) {
      const id = randomBytes(16).toString('base64url');
      const until = now() + lifeMs;
      tickets.set(id, { ...ticket, until });
      return { id, expiresAt: new Date(until).toISOString() };
    },
    find(id) {
      const found = tickets.get(id);
      return found && found.until > now() ? found : undefined;
    },
  };
}
