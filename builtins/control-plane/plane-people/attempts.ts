// Counts attempts in the database, so that all nodes count together.
import { sha256 } from 'agent-harness/lib/hash';
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';
import type { PlaneAttempts } from './contract.ts';
import type { MakeError } from './people-errors.ts';

export interface SweptAttempts extends PlaneAttempts {
  sweep(): Promise<void>;
}

const isOver = `attempt.begun_at < now() - interval '1 minute'`;

/** @param limit attempts of one key in a minute */
export function createPlaneAttempts(database: Database, limit: () => number, makeError: MakeError): SweptAttempts {
  return {
    async take(kind, keys) {
      let retryAfter = 0;
      for (const key of keys) {
        // One row at a time, so that two requests never wait for each other.
        const [row] = await database.query<{ count: number; seconds: number }>(
          `insert into attempt (kind, key_hash, count) values ($1, $2, 1) on conflict (kind, key_hash) do update set
             count = case when ${isOver} then 1 else attempt.count + 1 end, begun_at = case when ${isOver} then now() else attempt.begun_at end
           returning count, greatest(1, ceil(extract(epoch from begun_at + interval '1 minute' - now())))::int as seconds`,
          [kind, sha256(key)],
        );
        if (row && row.count > limit()) retryAfter = Math.max(retryAfter, row.seconds);
      }
      if (retryAfter > 0) throw makeError('TOO_MANY_ATTEMPTS', { retryAfter });
    },
    async forgive(kind, keys) {
      await database.query('update attempt set count = count - 1 where kind = $1 and key_hash = any($2) and count > 0', [kind, keys.map(sha256)]);
    },
    async sweep() {
      await database.query(`delete from attempt where begun_at < now() - interval '1 hour'`);
    },
  };
}
