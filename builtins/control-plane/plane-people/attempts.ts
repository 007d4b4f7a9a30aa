// Counts attempts to sign in and to enter codes. The counts are in the database and apply across all nodes of the control plane.
import { sha256 } from '#lib/hash';
import { networkOf } from '#lib/hosts';
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';
import type { AttemptBy, PlaneAttempts } from './contract.ts';
import type { MakeError } from './people-errors.ts';

export interface SweptAttempts extends PlaneAttempts {
  sweep(): Promise<void>;
}

const isOver = `attempt.begun_at < now() - interval '1 minute'`;

/** @param limit attempts per key and minute */
export function createPlaneAttempts(database: Database, limit: () => number, makeError: MakeError): SweptAttempts {
  async function take(kind: string, by: AttemptBy): Promise<void> {
    let retryAfter = 0;
    for (const hash of hashesOf(by)) {
      // Updates one row at a time, so that two requests never deadlock.
      const [row] = await database.query<{ count: number; seconds: number }>(
        `insert into attempt (kind, key_hash, count) values ($1, $2, 1) on conflict (kind, key_hash) do update set
           count = case when ${isOver} then 1 else attempt.count + 1 end, begun_at = case when ${isOver} then now() else attempt.begun_at end
         returning count, greatest(1, ceil(extract(epoch from begun_at + interval '1 minute' - now())))::int as seconds`,
        [kind, hash],
      );
      if (row && row.count > limit()) retryAfter = Math.max(retryAfter, row.seconds);
    }
    if (retryAfter > 0) throw makeError('TOO_MANY_ATTEMPTS', { retryAfter });
  }

  return {
    take,
    async guard(kind, by, work) {
      // Counts the attempt before its outcome is known, so that simultaneous guesses are also limited.
      await take(kind, by);
      const result = await work();
      await database.query('update attempt set count = count - 1 where kind = $1 and key_hash = any($2) and count > 0', [kind, hashesOf(by)]);
      return result;
    },
    async sweep() {
      await database.query(`delete from attempt where begun_at < now() - interval '1 hour'`);
    },
  };
}

function hashesOf({ address, account }: AttemptBy): string[] {
  const keys = [
    ...(address === undefined ? [] : [`address:${networkOf(address)}`]),
    ...(account === undefined ? [] : [`account:${account.trim().toLowerCase()}`]),
  ];
  return keys.map((key) => sha256(key));
}
