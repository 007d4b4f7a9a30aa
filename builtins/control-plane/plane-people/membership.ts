// Manages members and plans on behalf of administrators and owners.
import type { Role } from 'agent-harness/plugins/http';
import type { Audit } from 'agent-harness/builtins/control-plane/plane-audit-log';
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';
import type { AccessChange, Member, Organisation, Plan, PlanPart, PlanShare } from './contract.ts';
import type { Credentials } from './credentials.ts';
import { organisationOf, type Directory, type OrganisationRow } from './directory.ts';
import type { MakeError } from './people-errors.ts';

export interface MemberRow {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly joinedAt: Date;
  readonly seenAt?: Date;
  readonly devices: readonly { readonly id: string; readonly via: Member['via']; readonly name?: string; readonly seenAt?: Date }[];
}

/** Summary of an organisation for the operator. */
export interface OrganisationSummary extends Organisation, PlanShare {
  readonly members: number;
  readonly operates: boolean;
}

export interface Members {
  /** Returns organisations sorted by name, starting after the given name, up to the limit. @param words part of the name or of a member's e-mail address */
  organisations(words: string, after: string | undefined, limit: number): Promise<readonly OrganisationSummary[]>;
  list(orgId: string): Promise<readonly MemberRow[]>;
  /** Changes the role of a member. Rejects with `NOT_FOUND`, `OWNER_NEEDED`, `LAST_OWNER`. */
  setRole(by: Member, userId: string, role: Role): Promise<void>;
  /** Removes a member and ends their credentials for this organisation. Rejects with `NOT_FOUND`, `OWNER_NEEDED`, `LAST_OWNER`. */
  remove(by: Member, userId: string): Promise<void>;
  /** Sets the plan of an organisation. Rejects with `NOT_FOUND`, and with `SEATS_TAKEN` if the organisation has more members than the plan has seats. */
  setPlan(by: Member, plan: Plan): Promise<void>;
}

export interface MemberParts {
  readonly database: Database;
  readonly directory: Directory;
  readonly credentials: Credentials;
  readonly planParts: () => Iterable<PlanPart>;
  readonly audit: () => Audit | undefined;
  readonly changed: (change: AccessChange) => void;
  readonly makeError: MakeError;
}

export function createMembers({ database, directory, credentials, planParts, audit, changed, makeError }: MemberParts): Members {
  return {
    async organisations(words, after, limit) {
      const rows = await database.query<OrganisationRow & { members: number; operates: boolean }>(
        `select o.id as org_id, o.name, o.tier, o.seats, o.operates, (select count(*) from membership m where m.org_id = o.id) as members from organisation o
         where ($1 = '' or strpos(lower(o.name), $1) > 0
             or exists (select 1 from membership m join person p on p.id = m.user_id where m.org_id = o.id and strpos(p.email, $1) > 0))
           and ($2::text is null or (lower(o.name), o.id) > (select lower(name), id from organisation where id = $2))
         order by lower(o.name), o.id limit $3`,
        [words.trim().toLowerCase(), after ?? null, limit],
      );
      const ids = rows.map(({ org_id }) => org_id);
      const shares = ids.length === 0 ? [] : await Promise.all([...planParts()].map(async (part) => part.describe?.(ids)));
      return rows.map((row) => ({
        ...shares.reduce<PlanShare>((all, share) => ({ ...all, ...share?.get(row.org_id) }), {}),
        ...organisationOf(row),
        ...{ members: row.members, operates: row.operates },
      }));
    },
    async list(orgId) {
      const rows = await database.query<{ id: string; email: string; role: Role; joined_at: Date }>(
        `select p.id, p.email, m.role, m.joined_at from membership m join person p on p.id = m.user_id where m.org_id = $1 order by p.email`,
        [orgId],
      );
      const ids = rows.map(({ id }) => id);
      const held = ids.length === 0 ? [] : await credentials.list(ids, orgId);
      return rows.map(({ id, email, role, joined_at }) => {
        const own = held.filter(({ userId }) => userId === id);
        const seen = own.flatMap(({ seenAt }) => (seenAt ? [seenAt.getTime()] : []));
        return {
          id,
          email,
          role,
          joinedAt: joined_at,
          ...(seen.length > 0 ? { seenAt: new Date(Math.max(...seen)) } : {}),
          devices: own.map((one) => ({ id: one.id, via: one.via, ...(one.name ? { name: one.name } : {}), ...(one.seenAt ? { seenAt: one.seenAt } : {}) })),
        };
      });
    },
    async setRole(by, userId, role) {
      const orgId = by.org.id;
      await database.transaction(async (query) => {
        await directory.lock(orgId, query);
        // Checks the roles again under the lock, because the acting member may have lost the role in the meantime.
        const [own, one] = [await directory.membership(orgId, by.person.id, query), await directory.membership(orgId, userId, query)];
        if (!one) throw makeError('NOT_FOUND', { what: 'member' });
        if (own?.role !== by.role) throw makeError('FORBIDDEN');
        if ((one.role === 'owner' || role === 'owner') && by.role !== 'owner') throw makeError('OWNER_NEEDED');
        if (one.role === role) return;
        await directory.join(orgId, userId, role, query);
        const metrics = { email: one.person.email, from: one.role, to: role };
        await audit()?.record(orgId, { kind: 'role_changed', userId: by.person.id, metrics }, query);
      });
      changed({ what: 'member', orgId, userId });
    },
    async remove(by, userId) {
      const orgId = by.org.id;
      const ended = await database.transaction(async (query) => {
        await directory.lock(orgId, query);
        const [own, one] = [await directory.membership(orgId, by.person.id, query), await directory.membership(orgId, userId, query)];
        if (!one) throw makeError('NOT_FOUND', { what: 'member' });
        if (own?.role !== by.role) throw makeError('FORBIDDEN');
        if (one.role === 'owner' && by.role !== 'owner') throw makeError('OWNER_NEEDED');
        await directory.leave(orgId, userId, query);
        const changes = await credentials.end(userId, { orgId }, query);
        await audit()?.record(orgId, { kind: 'member_removed', userId: by.person.id, metrics: { email: one.person.email, role: one.role } }, query);
        return changes;
      });
      for (const change of [...ended, { what: 'member', orgId, userId } as const]) changed(change);
    },
    async setPlan(by, plan) {
      await database.transaction(async (query) => {
        const before = await directory.lock(plan.orgId, query);
        const own = await directory.membership(by.org.id, by.person.id, query);
        if (own?.role !== by.role) throw makeError('FORBIDDEN');
        const [row] = await query.query<{ count: number }>('select count(*) from membership where org_id = $1', [plan.orgId]);
        if ((row?.count ?? 0) > plan.seats) throw makeError('SEATS_TAKEN', { seats: plan.seats });
        await query.query('update organisation set tier = $2, seats = $3 where id = $1', [plan.orgId, plan.tier, plan.seats]);
        for (const part of planParts()) await part.apply(plan, query);
        const { orgId: _, ...to } = plan;
        const metrics = { from: { tier: before.tier, seats: before.seats }, to };
        await audit()?.record(plan.orgId, { kind: 'plan_changed', userId: by.person.id, metrics }, query);
      });
      changed({ what: 'organisation', orgId: plan.orgId });
    },
  };
}
