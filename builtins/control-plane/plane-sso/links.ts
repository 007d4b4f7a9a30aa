// Stores the links between people and their identities at an identity provider. An identity consists of organisation, issuer and subject; the e-mail address is
// not part of it.
import { entitlementsOf } from 'agent-harness/tiers';
import type { Audit } from 'agent-harness/builtins/control-plane/plane-audit-log';
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';
import type { People } from 'agent-harness/builtins/control-plane/plane-people';
import type { Identity } from './provider-client.ts';
import type { SsoStore } from './settings.ts';
import type { MakeError } from './sso-errors.ts';

export interface Link {
  readonly orgId: string;
  readonly orgName: string;
  readonly issuer: string;
  readonly connected: boolean;
}

export interface Links {
  /** Returns the person of the identity; `undefined` if it is not linked. */
  find(orgId: string, identity: Identity): Promise<string | undefined>;
  /** Links the identity to a person; of two simultaneous calls, the first one succeeds. Rejects with `LINK_TAKEN`. */
  add(orgId: string, identity: Identity, userId: string): Promise<void>;
  list(userId: string): Promise<readonly Link[]>;
  /** Checks that a person is a member of the organisation. Rejects with `NOT_SET_UP` otherwise. */
  check(orgId: string, userId: string): Promise<void>;
  /** Removes a person's links for an organisation. Rejects with `NOT_LINKED`. */
  remove(orgId: string, userId: string): Promise<void>;
}

export interface LinkParts {
  readonly database: Database;
  readonly people: Pick<People, 'membership' | 'organisationsOf'>;
  readonly store: Pick<SsoStore, 'provider'>;
  readonly audit: () => Audit | undefined;
  readonly makeError: MakeError;
}

export function createLinks({ database, people, store, audit, makeError }: LinkParts): Links {
  return {
    async find(orgId, { issuer, subject }) {
      const [row] = await database.query<{ user_id: string }>('select user_id from sso_identity where org_id = $1 and issuer = $2 and subject = $3', [
        orgId,
        issuer,
        subject,
      ]);
      return row?.user_id;
    },
    async add(orgId, { issuer, subject }, userId) {
      await database.transaction(async (query) => {
        const linked = await query.query<{ user_id: string }>(
          `insert into sso_identity (org_id, issuer, subject, user_id) values ($1, $2, $3, $4)
           on conflict (org_id, issuer, subject) do update set user_id = sso_identity.user_id returning user_id`,
          [orgId, issuer, subject, userId],
        );
        if (linked[0]?.user_id !== userId) throw makeError('LINK_TAKEN');
        await audit()?.record(orgId, { kind: 'sso_connected', userId, metrics: { issuer } }, query);
      });
    },
    async list(userId) {
      const rows = await database.query<{ org_id: string; issuer: string }>('select org_id, issuer from sso_identity where user_id = $1', [userId]);
      const found: Link[] = [];
      for (const { org } of await people.organisationsOf(userId)) {
        const provider = entitlementsOf(org.tier).includes('enterprise.sso') ? await store.provider(org.id) : undefined;
        if (!provider) continue;
        const connected = rows.some((row) => row.org_id === org.id && row.issuer === provider.issuer);
        found.push({ orgId: org.id, orgName: org.name, issuer: provider.issuer, connected });
      }
      return found;
    },
    async check(orgId, userId) {
      if (!(await people.membership(orgId, userId))) throw makeError('NOT_SET_UP');
    },
    async remove(orgId, userId) {
      await database.transaction(async (query) => {
        const gone = await query.query<{ issuer: string }>('delete from sso_identity where org_id = $1 and user_id = $2 returning issuer', [orgId, userId]);
        const [one] = gone;
        if (!one) throw makeError('NOT_LINKED');
        await audit()?.record(orgId, { kind: 'sso_parted', userId, metrics: { issuer: one.issuer } }, query);
      });
    },
  };
}
