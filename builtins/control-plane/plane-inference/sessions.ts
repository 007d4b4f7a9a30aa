// Issues inference sessions for licenses: tokens that are valid only for inference, for one hour, and no longer than the license.
import { randomBytes } from 'node:crypto';
import type { Principal } from 'agent-harness/plugins/http';
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';
import type { Member, People } from 'agent-harness/builtins/control-plane/plane-people';
import { sha256 } from '#lib/hash';
import { BoundedMap } from '#lib/values';
import type { MakeError } from './manifest.ts';

export interface Sessions {
  begin(member: Member): Promise<{ readonly token: string; readonly expiresAt: Date }>;
  /**
   * Returns the principal of a session token; `undefined` for other tokens. Rejects with `TOKEN_EXPIRED`, and with the license error if the license has ended.
   */
  identify(token: string): Promise<Principal | undefined>;
  /** Deletes expired sessions. */
  sweep(): Promise<void>;
}

export interface SessionsParts {
  readonly database: Pick<Database, 'query'>;
  readonly people: Pick<People, 'principalOf'>;
  /** Returns the member of an active license. */
  readonly holder: (credential: string) => Promise<Member>;
  readonly makeError: MakeError;
  /** Read on every use. */
  readonly settings: { readonly sessionMs: number };
}

const prefix = 'hubs_';
const form = /^hubs_[\w-]{43}$/;
/** Maximum time until calls detect a revoked license, in milliseconds. */
const freshMs = 1_000;
const maxCached = 10_000;
/** A session is only for model calls: it cannot read data of the organisation or create sessions. */
const callAreas = ['inference'];

export function createSessions({ database, people, holder, makeError, settings }: SessionsParts): Sessions {
  const kept = new BoundedMap<string, { readonly at: number; readonly principal: Promise<Principal | undefined> }>(maxCached);

  async function find(hash: string): Promise<Principal | undefined> {
    const [row] = await database.query<{ credential: string; is_over: boolean }>(
      'select credential, expires_at <= now() as is_over from inference_session where token_hash = $1',
      [hash],
    );
    if (!row) return undefined;
    if (row.is_over) throw makeError('TOKEN_EXPIRED');
    return { ...people.principalOf(await holder(row.credential)), areas: callAreas };
  }

  return {
    async begin({ org, person, credential }) {
      const token = prefix + randomBytes(32).toString('base64url');
      const [row] = await database.query<{ expires_at: Date }>(
        `insert into inference_session (token_hash, org_id, user_id, credential, expires_at)
        values ($1, $2, $3, $4, now() + $5::bigint * interval '1 millisecond') returning expires_at`,
        [sha256(token), org.id, person.id, credential, settings.sessionMs],
      );
      if (!row) throw new Error('the inference session was not created');
      return { token, expiresAt: row.expires_at };
    },
    async identify(token) {
      if (!form.test(token)) return undefined;
      // Looks up the hash, so that the timing reveals nothing about the token.
      const hash = sha256(token);
      const known = kept.get(hash);
      const now = performance.now();
      if (known && now - known.at < freshMs) return known.principal;
      const principal = find(hash);
      kept.set(hash, { at: now, principal });
      principal.then(
        (found) => found ?? kept.delete(hash),
        () => kept.delete(hash),
      );
      return principal;
    },
    async sweep() {
      await database.query("delete from inference_session where expires_at < now() - interval '1 day'");
    },
  };
}
