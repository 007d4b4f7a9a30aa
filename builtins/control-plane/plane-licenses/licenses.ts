// Issues, finds, renews and revokes licenses of services. On each request, checks in the database whether the license is active.
import { oneLine } from '#lib/text';
import { entitlementsOf, lesserTier } from 'agent-harness/tiers';
import type { Database, Query } from 'agent-harness/builtins/control-plane/plane-database';
import type { PlaneKeys } from 'agent-harness/builtins/control-plane/plane-keys';
import type { Member } from 'agent-harness/builtins/control-plane/plane-people';
import type { Role } from 'agent-harness/plugins/http';
import type { Tier } from 'agent-harness/plugins/licensing';
import type { Storage } from 'agent-harness/plugins/storage';
import type { IssuedLicense, LicenseOrder } from './contract.ts';
import type { MakeError } from './license-errors.ts';

export interface LicenseParts {
  readonly database: Database;
  readonly planeKeys: PlaneKeys;
  readonly storage: Pick<Storage, 'createId'>;
  /** Returns the issuer: the address of the control plane. */
  readonly issuer: () => string;
  readonly makeError: MakeError;
}

export interface Licenses {
  issue(order: LicenseOrder, transaction?: Query): Promise<IssuedLicense>;
  /** Returns the member of a license token; `undefined` for other tokens. Rejects with `TOKEN_EXPIRED` and `TOKEN_REVOKED`. */
  identify(token: string): Promise<Member | undefined>;
  /** Returns the current member of the license with that id. Rejects as {@link identify} does. */
  holder(jti: string): Promise<Member>;
  /** Extends the license by 30 days with the current plan. Accepts a license that expired within the grace period. Rejects with `TOKEN_…`. */
  renew(token: string): Promise<IssuedLicense>;
  /** Revokes a license and resolves with its id, even if it was already revoked. Rejects with `TOKEN_INVALID`. */
  revokeOwn(token: string): Promise<string>;
}

interface LicenseRow {
  readonly jti: string;
  readonly tier: Tier;
  readonly follows_plan: boolean;
  readonly entitlements: readonly string[];
  readonly expires_at: Date;
  readonly is_revoked: boolean;
  readonly is_expired: boolean;
  readonly is_over: boolean;
  readonly user_id: string;
  readonly email: string;
  readonly org_id: string;
  readonly name: string;
  readonly plan: Tier;
  readonly seats: number;
  /** Current role; `null` if the person is no longer a member. */
  readonly role: Role | null;
}

interface Plan {
  readonly name: string;
  readonly tier: Tier;
  readonly seats: number;
  readonly email: string;
}

const lifeDays = 30;
/** Days after expiry during which a license can be renewed and the local service keeps working. */
const graceDays = 14;
const dayMs = 86_400_000;
/** Maximum length of a license token in characters. */
const maxTokenLength = 16_384;
/** Maximum length of a device name in characters. */
const maxNameLength = 100;

const columns = `l.jti, l.tier, l.follows_plan, l.entitlements, l.expires_at, l.revoked_at is not null as is_revoked,
  least(l.expires_at, to_timestamp($2)) <= now() as is_expired, least(l.expires_at, to_timestamp($2)) <= now() - interval '${graceDays} days' as is_over,
  p.id as user_id, p.email, o.id as org_id, o.name, o.tier as plan, o.seats, m.role`;
const joins = `join person p on p.id = l.user_id join organisation o on o.id = l.org_id
  left join membership m on m.org_id = l.org_id and m.user_id = l.user_id`;

export function createLicenses({ database, planeKeys, storage, issuer, makeError }: LicenseParts): Licenses {
  /** Returns the id and expiry of a license token that this control plane signed. */
  async function claimsOf(token: string): Promise<{ readonly jti: string; readonly exp: number } | undefined> {
    if (token.length > maxTokenLength || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return undefined;
    const { jti, exp } = (await planeKeys.verify('license', token)) ?? {};
    return typeof jti === 'string' && typeof exp === 'number' ? { jti, exp } : undefined;
  }

  async function sign(
    row: { jti: string; email: string; tier: Tier; entitlements: readonly string[]; org: string; seats: number },
    issuedAt: Date,
    expiresAt: Date,
  ): Promise<IssuedLicense> {
    const { jti, email, tier, entitlements, org, seats } = row;
    const token = await planeKeys.sign('license', {
      sub: email,
      tier,
      ...(entitlements.length > 0 ? { ent: entitlements } : {}),
      org,
      seats,
      iat: seconds(issuedAt),
      exp: seconds(expiresAt),
      iss: issuer(),
      jti,
    });
    return { token, jti, tier, expiresAt };
  }

  /** Counts seats under a lock that blocks issuing other licenses of the organisation. */
  async function planFor({ orgId, userId }: LicenseOrder, query: Query): Promise<Plan> {
    const [org] = await query.query<Omit<Plan, 'email'>>('select name, tier, seats from organisation where id = $1 for update', [orgId]);
    const [person] = await query.query<{ email: string }>(
      'select p.email from membership m join person p on p.id = m.user_id where m.org_id = $1 and m.user_id = $2',
      [orgId, userId],
    );
    if (!org || !person) throw makeError('NOT_MEMBER');
    const [taken] = await query.query<{ count: number }>(
      `select count(distinct l.user_id) as count from license l join membership m on m.org_id = l.org_id and m.user_id = l.user_id
       where l.org_id = $1 and l.user_id <> $2 and l.revoked_at is null and l.expires_at > now()`,
      [orgId, userId],
    );
    if ((taken?.count ?? 0) >= org.seats) throw makeError('SEATS', { seats: org.seats, org: org.name });
    return { ...org, email: person.email };
  }

  async function issueIn(query: Query, order: LicenseOrder): Promise<IssuedLicense> {
    const { orgId, userId, tier: ordered, days = lifeDays, device } = order;
    const { name, tier: plan, seats, email } = await planFor(order, query);
    const tier = ordered ?? plan;
    if (lesserTier(tier, plan) !== tier) throw makeError('BEYOND_PLAN', { org: name, plan, tier });
    const expiresAt = new Date(Date.now() + days * dayMs);
    const issuedAt = new Date(Math.min(Date.now(), expiresAt.getTime() - dayMs));
    const jti = storage.createId('lic');
    await query.query('insert into license (jti, user_id, org_id, tier, follows_plan, issued_at, expires_at, device) values ($1, $2, $3, $4, $5, $6, $7, $8)', [
      jti,
      userId,
      orgId,
      tier,
      ordered === undefined,
      issuedAt,
      expiresAt,
      device === undefined ? null : oneLine(device, maxNameLength),
    ]);
    return sign({ jti, email, tier, entitlements: [], org: name, seats }, issuedAt, expiresAt);
  }

  /** @param exp expiry of this token in seconds since 1970; may be earlier than that of the license */
  async function memberOf(jti: string, exp: number | null): Promise<Member> {
    const [row] = await database.query<LicenseRow>(
      `with seen as (update license set seen_at = now() where jti = $1 and (seen_at is null or seen_at < now() - interval '1 minute'))
       select ${columns} from license l ${joins} where l.jti = $1`,
      [jti, exp],
    );
    if (!row || row.is_revoked || row.role === null) throw makeError('TOKEN_REVOKED');
    if (row.is_expired) throw makeError('TOKEN_EXPIRED');
    const tier = row.follows_plan ? row.plan : lesserTier(row.tier, row.plan);
    const org = { id: row.org_id, name: row.name, tier: row.plan, seats: row.seats };
    const person = { id: row.user_id, email: row.email };
    return { person, org, role: row.role, entitlements: entitlementsOf(tier, row.entitlements), via: 'license', credential: row.jti };
  }

  return {
    issue: (order, transaction) => (transaction ? issueIn(transaction, order) : database.transaction((query) => issueIn(query, order))),

    async identify(token) {
      const claims = await claimsOf(token);
      return claims && memberOf(claims.jti, claims.exp);
    },
    holder: (jti) => memberOf(jti, null),

    async renew(token) {
      const claims = await claimsOf(token);
      if (!claims) throw makeError('TOKEN_INVALID');
      return database.transaction(async (query) => {
        const [row] = await query.query<LicenseRow>(`select ${columns} from license l ${joins} where l.jti = $1 for update of l`, [claims.jti, claims.exp]);
        if (!row || row.is_revoked || row.role === null) throw makeError('TOKEN_REVOKED');
        if (row.is_over) throw makeError('TOKEN_EXPIRED');
        const tier = row.follows_plan ? row.plan : lesserTier(row.tier, row.plan);
        const issuedAt = new Date();
        const expiresAt = new Date(Math.max(row.expires_at.getTime(), issuedAt.getTime() + lifeDays * dayMs));
        await query.query('update license set issued_at = $2, expires_at = $3, seen_at = now() where jti = $1', [row.jti, issuedAt, expiresAt]);
        const { jti, email, entitlements, name, seats } = row;
        return sign({ jti, email, tier, entitlements, org: name, seats }, issuedAt, expiresAt);
      });
    },

    async revokeOwn(token) {
      const claims = await claimsOf(token);
      if (!claims) throw makeError('TOKEN_INVALID');
      await database.query('update license set revoked_at = coalesce(revoked_at, now()) where jti = $1', [claims.jti]);
      return claims.jti;
    },
  };
}

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}
