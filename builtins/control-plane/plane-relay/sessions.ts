// Stores remote sessions and their guests in the database for all nodes. Stores codes and tokens as hashes, and no relayed data.
import { randomBytes } from 'node:crypto';
import { codeOf } from '#lib/errors';
import { isSameSecret, sha256 } from '#lib/hash';
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';
import type { MakeError } from './relay-errors.ts';

export type RelayRole = 'view' | 'control' | 'page';

export interface NewSession {
  readonly userId: string;
  readonly orgId: string;
  readonly code: string;
  /** SHA-256 in hex of the proof that a guest knows the secret of the link. */
  readonly proofHash: string;
  readonly role: RelayRole;
  readonly ttlMs: number;
}

/** A session as returned to its host. */
export interface HostedSession {
  readonly id: string;
  readonly expiresAt: Date;
  /** Whether the code admits no more guests because of too many wrong attempts. */
  readonly isBurned: boolean;
}

/** An admitted guest, identified by its token. */
export interface JoinedGuest {
  readonly session: string;
  readonly guest: string;
  readonly role: RelayRole;
  readonly expiresAt: Date;
  /** Whether the host polled within the last 35 seconds. */
  readonly isHostHere: boolean;
}

export type RelaySessions = ReturnType<typeof createRelaySessions>;

interface GuestRow {
  readonly session_id: string;
  readonly guest: string;
  readonly role: RelayRole;
  readonly expires_at: Date;
  readonly is_host_here: boolean;
}

/** Maximum number of open sessions of one user. */
const maxSessions = 16;
/** Maximum number of guests in one session. */
const maxGuests = 16;
/** Maximum number of concurrent pages per paired device. */
const maxPages = 6;
/** Number of wrong attempts after which the code admits no guest. */
const maxTries = 5;
const uniqueViolation = '23505';
const hostIsHere = `s.host_seen_at > now() - interval '35 seconds'`;
const tokenForm = /^rg_[\w-]{43}$/;

export function createRelaySessions(database: Database, createId: (kind: string) => string, makeError: MakeError) {
  async function forgetPage({ code, userId, proofHash }: Pick<NewSession, 'code' | 'userId' | 'proofHash'>): Promise<string | undefined> {
    const [gone] = await database.query<{ id: string }>(
      `delete from relay_session where code_hash = $1 and user_id = $2 and proof_hash = $3 and role = 'page' returning id`,
      [hashOf(code), userId, proofHash],
    );
    return gone?.id;
  }

  return {
    /** Opens a session. A `page` session replaces the previous one with the same user, code and secret. Rejects with `CODE_TAKEN`, `TOO_MANY_SESSIONS`. */
    async open({ userId, orgId, code, proofHash, role, ttlMs }: NewSession): Promise<HostedSession & { readonly replaced?: string }> {
      const id = createId('relay');
      const replaced = role === 'page' ? await forgetPage({ code, userId, proofHash }) : undefined;
      const [known] = await database.query<{ count: number }>('select count(*) from relay_session where user_id = $1 and expires_at > now()', [userId]);
      if ((known?.count ?? 0) >= maxSessions) throw makeError('TOO_MANY_SESSIONS', { limit: maxSessions });
      try {
        const [row] = await database.query<{ expires_at: Date }>(
          `insert into relay_session (id, code_hash, proof_hash, role, user_id, org_id, expires_at)
           values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7)) returning expires_at`,
          [id, hashOf(code), proofHash, role, userId, orgId, ttlMs / 1_000],
        );
        return { id, expiresAt: row!.expires_at, isBurned: false, ...(replaced === undefined ? {} : { replaced }) };
      } catch (fault) {
        throw codeOf(fault) === uniqueViolation ? makeError('CODE_TAKEN') : fault;
      }
    },
    /** Returns the host's session, and records the host as present. Rejects with `SESSION_UNKNOWN`. */
    async hosted(id: string, userId: string): Promise<HostedSession> {
      const [row] = await database.query<{ expires_at: Date; is_burned: boolean; is_fresh: boolean }>(
        `select expires_at, wrong_tries >= ${maxTries} as is_burned, host_seen_at > now() - interval '5 seconds' as is_fresh
         from relay_session where id = $1 and user_id = $2 and expires_at > now()`,
        [id, userId],
      );
      if (!row) throw makeError('SESSION_UNKNOWN');
      if (!row.is_fresh) await database.query('update relay_session set host_seen_at = now() where id = $1', [id]);
      return { id, expiresAt: row.expires_at, isBurned: row.is_burned };
    },
    /** Ends a session of the user. Rejects with `SESSION_UNKNOWN`. */
    async close(id: string, userId: string): Promise<void> {
      const gone = await database.query('delete from relay_session where id = $1 and user_id = $2 returning 1', [id, userId]);
      if (gone.length === 0) throw makeError('SESSION_UNKNOWN');
    },
    /** Admits a guest; removes the earliest guests of a `page` session above the limit. Rejects with `CODE_WRONG`, `GUEST_TAKEN`, `TOO_MANY_GUESTS`. */
    async join(code: string, proof: string, guest: string): Promise<JoinedGuest & { readonly token: string; readonly gone: readonly string[] }> {
      const token = `rg_${randomBytes(32).toString('base64url')}`;
      // Returns the error after the commit, so that the attempt counts.
      const outcome = await database.transaction(async (query) => {
        const [row] = await query.query<{ id: string; proof_hash: string; role: RelayRole; expires_at: Date; is_host_here: boolean }>(
          `select s.id, s.proof_hash, s.role, s.expires_at, ${hostIsHere} as is_host_here from relay_session s
           where s.code_hash = $1 and s.expires_at > now() and s.wrong_tries < ${maxTries} for update`,
          [hashOf(code)],
        );
        if (!row) return makeError('CODE_WRONG');
        if (!isSameSecret(sha256(proof), row.proof_hash)) {
          await query.query('update relay_session set wrong_tries = wrong_tries + 1 where id = $1', [row.id]);
          return makeError('CODE_WRONG');
        }
        const [guests] = await query.query<{ count: number; is_taken: boolean }>(
          'select count(*), coalesce(bool_or(guest = $2), false) as is_taken from relay_guest where session_id = $1',
          [row.id, guest],
        );
        if (guests?.is_taken) return makeError('GUEST_TAKEN');
        const gone = row.role === 'page' ? await removeOldPages(query, row.id) : [];
        if ((guests?.count ?? 0) - gone.length >= maxGuests) return makeError('TOO_MANY_GUESTS', { limit: maxGuests });
        await query.query('insert into relay_guest (session_id, guest, token_hash) values ($1, $2, $3)', [row.id, guest, sha256(token)]);
        return { session: row.id, guest, role: row.role, expiresAt: row.expires_at, isHostHere: row.is_host_here, token, gone };
      });
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    async find(token: string): Promise<JoinedGuest | undefined> {
      if (!tokenForm.test(token)) return undefined;
      const [row] = await database.query<GuestRow>(
        `select g.session_id, g.guest, s.role, s.expires_at, ${hostIsHere} as is_host_here
         from relay_guest g join relay_session s on s.id = g.session_id where g.token_hash = $1 and s.expires_at > now()`,
        [sha256(token)],
      );
      return row && { session: row.session_id, guest: row.guest, role: row.role, expiresAt: row.expires_at, isHostHere: row.is_host_here };
    },
    async leave(session: string, guest: string): Promise<void> {
      await database.query('delete from relay_guest where session_id = $1 and guest = $2', [session, guest]);
    },
    async sweep(): Promise<void> {
      await database.query('delete from relay_session where expires_at <= now()');
    },
  };
}

/** Removes the earliest guests of a `page` session: a reloaded page joins again, and a closed page does not leave. Returns their ids. */
async function removeOldPages(query: Pick<Database, 'query'>, session: string): Promise<string[]> {
  const rows = await query.query<{ guest: string }>(
    `delete from relay_guest where session_id = $1 and guest in
       (select guest from relay_guest where session_id = $1 order by joined_at desc offset ${maxPages - 1}) returning guest`,
    [session],
  );
  return rows.map(({ guest }) => guest);
}

const hashOf = (code: string): string => sha256(`relay code ${code.toUpperCase()}`);
