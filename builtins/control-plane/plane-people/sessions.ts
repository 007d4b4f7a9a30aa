// Manages the browser sessions of a control plane: a cookie with a random value, whose hash is stored in the database.
import { randomBytes } from 'node:crypto';
import { sha256 } from '#lib/hash';
import { textStart } from '#lib/text';
import type { Role } from 'agent-harness/plugins/http';
import type { Storage } from 'agent-harness/plugins/storage';
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';
import type { CredentialSource, Membership, Person, SessionAbout, SessionStart } from './contract.ts';
import { organisationOf, type OrganisationRow } from './directory.ts';

/** A valid session with its person. There is no membership if the person is in no organisation. */
export interface FoundSession {
  readonly id: string;
  readonly person: Person;
  readonly membership?: Membership;
  /** Whether the session is bound to the organisation of the membership. */
  readonly isBound: boolean;
}

export interface Sessions {
  readonly cookieName: string;
  begin(userId: string, orgId: string | undefined, about: SessionAbout): Promise<SessionStart>;
  find(token: string): Promise<FoundSession | undefined>;
  /** `Set-Cookie` header that signs a browser out. */
  readonly clearCookie: string;
  /** Switches a session to another organisation. Resolves with false if the person is not a member or the session is bound. */
  switchTo(sessionId: string, userId: string, orgId: string): Promise<boolean>;
  readonly source: CredentialSource;
  /** Ends the sessions bound to the organisation; resolves with their ids. */
  endBound(orgId: string, userId?: string): Promise<readonly string[]>;
  /** Deletes expired sessions. */
  sweep(): Promise<void>;
}

export interface SessionParts {
  readonly database: Database;
  readonly storage: Pick<Storage, 'createId'>;
  readonly productName: string;
  /** Returns whether users access the control plane over TLS. */
  readonly isSecure: () => boolean;
}

type Row = Partial<OrganisationRow> & {
  readonly id: string;
  readonly user_id: string;
  readonly email: string;
  readonly role?: Role | null;
  readonly is_due: boolean;
  readonly bound: boolean;
};

/** Number of days without use after which a session ends. */
const idleDays = 30;
/** Number of days after which a session ends even if it is used. */
const maxDays = 180;
const isActive = `s.seen_at > now() - interval '${idleDays} days' and s.made_at > now() - interval '${maxDays} days'`;
/** Maximum number of sessions per person. A new session replaces the one that has been unused for the longest time. */
const maxSessionsPerPerson = 50;
/** Maximum length of a stored user agent in characters. */
const maxAgentLength = 300;

export function createSessions({ database, storage, productName, isSecure }: SessionParts): Sessions {
  const cookieName = (): string => `${isSecure() ? '__Host-' : ''}${productName}_session`;
  const cookie = (value: string, seconds: number): string =>
    `${cookieName()}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isSecure() ? '; Secure' : ''}`;

  /** If a person has left the session's organisation, switches the session to the person's most recently used organisation. */
  async function switchToLastUsed(row: Row): Promise<Row> {
    const [next] = await database.query<OrganisationRow & { role: Role }>(
      `select o.id as org_id, o.name, o.tier, o.seats, m.role from membership m join organisation o on o.id = m.org_id
       where m.user_id = $1 order by m.used_at desc, o.id limit 1`,
      [row.user_id],
    );
    if (next) await database.query('update session set org_id = $2 where id = $1', [row.id, next.org_id]);
    return { ...row, ...next };
  }

  return {
    get cookieName() {
      return cookieName();
    },
    get clearCookie() {
      return cookie('', 0);
    },
    async begin(userId, orgId, { peer, agent, isBound = false }) {
      const token = randomBytes(32).toString('base64url');
      await database.transaction(async (transaction) => {
        await transaction.query('insert into session (id, token_hash, user_id, org_id, peer, agent, bound) values ($1, $2, $3, $4, $5, $6, $7)', [
          storage.createId('sess'),
          sha256(token),
          userId,
          orgId ?? null,
          peer,
          agent === undefined ? null : plain(agent),
          isBound,
        ]);
        await transaction.query('delete from session where id in (select id from session where user_id = $1 order by seen_at desc, made_at desc offset $2)', [
          userId,
          maxSessionsPerPerson,
        ]);
      });
      return { cookie: `${cookieName()}=${token}`, setCookie: cookie(token, idleDays * 86_400) };
    },
    async find(token) {
      if (!/^[\w-]{43}$/.test(token)) return undefined;
      const [found] = await database.query<Row>(
        `select s.id, s.seen_at < now() - interval '1 minute' as is_due, s.bound, p.id as user_id, p.email, m.role, o.id as org_id, o.name, o.tier, o.seats
         from session s join person p on p.id = s.user_id
         left join membership m on m.user_id = s.user_id and m.org_id = s.org_id left join organisation o on o.id = m.org_id
         where s.token_hash = $1 and ${isActive}`,
        [sha256(token)],
      );
      // A bound session ends with the membership.
      if (!found || (found.bound && !found.role)) return undefined;
      const row = found.role ? found : await switchToLastUsed(found);
      if (row.is_due) {
        await database.query('update session set seen_at = now() where id = $1', [row.id]);
        await database.query('update membership set used_at = now() where user_id = $1 and org_id = $2', [row.user_id, row.org_id ?? null]);
      }
      const person = { id: row.user_id, email: row.email };
      const { role } = row;
      return { id: row.id, person, isBound: row.bound, ...(role ? { membership: { person, org: organisationOf(row as OrganisationRow), role } } : {}) };
    },
    async switchTo(sessionId, userId, orgId) {
      const moved = await database.query(
        `update session set org_id = $3 where id = $1 and user_id = $2 and not bound and exists (select 1 from membership where user_id = $2 and org_id = $3) returning 1`,
        [sessionId, userId, orgId],
      );
      if (moved.length > 0) await database.query('update membership set used_at = now() where user_id = $1 and org_id = $2', [userId, orgId]);
      return moved.length > 0;
    },
    source: {
      via: 'session',
      async ended(ids) {
        const rows = await database.query<{ id: string }>(`select s.id from session s where s.id = any($1) and ${isActive}`, [[...ids]]);
        const alive = new Set(rows.map(({ id }) => id));
        return ids.filter((id) => !alive.has(id));
      },
      async list(userIds, orgId) {
        const rows = await database.query<{
          id: string;
          user_id: string;
          org_id: string | null;
          peer: string;
          agent: string | null;
          made_at: Date;
          seen_at: Date;
        }>(
          `select s.id, s.user_id, s.org_id, s.peer, s.agent, s.made_at, s.seen_at from session s
           where s.user_id = any($1) and ($2::text is null or s.org_id = $2) and ${isActive} order by s.seen_at desc, s.id`,
          [[...userIds], orgId ?? null],
        );
        return rows.map((row) => ({
          id: row.id,
          userId: row.user_id,
          ...(row.org_id === null ? {} : { orgId: row.org_id }),
          ...(row.agent === null ? {} : { name: row.agent }),
          peer: row.peer,
          madeAt: row.made_at,
          seenAt: row.seen_at,
        }));
      },
      async end(userId, { id, orgId, except }, transaction) {
        // An unbound session belongs to the person: after removal from one organisation, a member continues in another one.
        const rows = await transaction.query<{ id: string }>(
          `delete from session where user_id = $1 and ($2::text is null or id = $2) and ($3::text is null or id <> $3)
           and ($4::text is null or (bound and org_id = $4)) returning id`,
          [userId, id ?? null, except ?? null, orgId ?? null],
        );
        return rows.map((row) => row.id);
      },
    },
    async endBound(orgId, userId) {
      const statement = 'delete from session where org_id = $1 and bound and ($2::text is null or user_id = $2) returning id';
      return (await database.query<{ id: string }>(statement, [orgId, userId ?? null])).map(({ id }) => id);
    },
    async sweep() {
      await database.query(`delete from session s where not (${isActive})`);
    },
  };
}

function plain(agent: string): string {
  return textStart(agent.replace(/[\p{C}\p{Z}]+/gu, ' ').trim(), maxAgentLength);
}
