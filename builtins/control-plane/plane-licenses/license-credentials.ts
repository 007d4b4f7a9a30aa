// Lists licenses as credentials of a user, beside the user's devices, and revokes one of them, or all when a membership ends.
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';
import type { CredentialSource } from 'agent-harness/builtins/control-plane/plane-people';

interface DeviceRow {
  readonly jti: string;
  readonly user_id: string;
  readonly org_id: string;
  readonly device: string | null;
  readonly made_at: Date;
  readonly seen_at: Date | null;
}

/** SQL condition for active licenses, including expired ones that can still be renewed. */
const isAlive = `revoked_at is null and expires_at > now() - interval '14 days'`;

export function createCredentialSource(database: Database): CredentialSource {
  return {
    via: 'license',
    async ended(ids) {
      const rows = await database.query<{ jti: string }>('select jti from license where jti = any($1) and revoked_at is null and expires_at > now()', [
        [...ids],
      ]);
      const alive = new Set(rows.map(({ jti }) => jti));
      return ids.filter((id) => !alive.has(id));
    },
    async list(userIds, orgId) {
      const rows = await database.query<DeviceRow>(
        `select jti, user_id, org_id, device, made_at, seen_at from license
         where user_id = any($1) and ($2::text is null or org_id = $2) and ${isAlive} order by coalesce(seen_at, issued_at) desc, jti`,
        [[...userIds], orgId ?? null],
      );
      return rows.map(({ jti, user_id, org_id, device, made_at, seen_at }) => ({
        id: jti,
        userId: user_id,
        orgId: org_id,
        ...(device === null ? {} : { name: device }),
        madeAt: made_at,
        ...(seen_at === null ? {} : { seenAt: seen_at }),
      }));
    },
    async end(userId, { id, orgId, except }, transaction) {
      const rows = await transaction.query<{ jti: string }>(
        `update license set revoked_at = now() where user_id = $1 and revoked_at is null
         and ($2::text is null or jti = $2) and ($3::text is null or org_id = $3) and ($4::text is null or jti <> $4) returning jti`,
        [userId, id ?? null, orgId ?? null, except ?? null],
      );
      return rows.map(({ jti }) => jti);
    },
  };
}
