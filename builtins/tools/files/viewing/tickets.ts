// Issues temporary tickets for viewing a page in a frame. They are stored only in memory, so a restarted server must issue new ones.
import { randomBytes } from 'node:crypto';
import { BoundedMap } from '#lib/values';

export interface Ticket {
  readonly workspaceRoot: string;
  /** Path relative to the workspace. */
  readonly path: string;
  readonly hasScripts: boolean;
}

export interface Tickets {
  /** Issues a ticket. `expiresAt`: ISO 8601. */
  issue(ticket: Ticket): { readonly id: string; readonly expiresAt: string };
  /** Returns a ticket; `undefined` if it is unknown or expired. */
  find(id: string): Ticket | undefined;
}

const lifeMs = 10 * 60_000;
/** Maximum number of tickets; the oldest is dropped first. */
const maxTickets = 200;

/** @param now returns milliseconds since 1970 */
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
