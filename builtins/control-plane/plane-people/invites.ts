// Manages invitations to an organisation: single-use links that add a member.
import { sha256 } from '#lib/hash';
import type { Role } from 'agent-harness/plugins/http';
import type { Storage } from 'agent-harness/plugins/storage';
import type { Database, Query } from 'agent-harness/builtins/control-plane/plane-database';
import type { Organisation, Person } from './contract.ts';
import { emailOf, organisationOf, type Directory, type OrganisationRow } from './directory.ts';
import { makeLinkToken } from './links.ts';
import type { MakeError } from './people-errors.ts';

export interface Invite {
  readonly id: string;
  readonly role: Role;
  /** Invited e-mail address; by default, anyone with the link may accept. */
  readonly email?: string;
  readonly invitedBy?: string;
  readonly madeAt: Date;
  readonly endsAt: Date;
}

export interface Invites {
  /** Lists open invitations. */
  list(orgId: string): Promise<readonly Invite[]>;
  make(
    orgId: string,
    by: Person,
    about: { readonly role: Role; readonly email?: string | undefined },
  ): Promise<{ readonly invite: Invite; readonly token: string }>;
  /** Revokes an open invitation. Resolves to `true` if it existed. */
  remove(orgId: string, id: string): Promise<boolean>;
  /** Returns the content of an invitation. Rejects with `LINK_INVALID`. */
  look(token: string): Promise<{ readonly org: Organisation; readonly role: Role; readonly email?: string }>;
  /** Uses the invitation. Rejects with `LINK_INVALID`, `INVITE_FOR_OTHER`, and with the errors of joining; the invitation then stays valid. */
  accept(token: string, person: Person, transaction: Query): Promise<{ readonly orgId: string; readonly role: Role }>;
  /** Deletes invitations that ended a month ago. */
  sweep(): Promise<void>;
}

interface Row {
  readonly id: string;
  readonly role: Role;
  readonly email: string | null;
  readonly invited_by: string | null;
  readonly made_at: Date;
  readonly ends_at: Date;
}

const lifeDays = 7;
const isOpen = 'used_at is null and ends_at > now()';

export function createInvites(database: Database, storage: Pick<Storage, 'createId'>, directory: Directory, makeError: MakeError): Invites {
  return {
    async list(orgId) {
      const rows = await database.query<Row>(
        `select i.id, i.role, i.email, p.email as invited_by, i.made_at, i.ends_at from invite i left join person p on p.id = i.invited_by
         where i.org_id = $1 and ${isOpen} order by i.made_at desc, i.id`,
        [orgId],
      );
      return rows.map(inviteOf);
    },
    async make(orgId, by, { role, email }) {
      const address = email === undefined ? null : emailOf(email);
      if (address === undefined) throw makeError('EMAIL_INVALID');
      const { token, hash } = makeLinkToken();
      const [row] = await database.query<Row>(
        `insert into invite (id, token_hash, org_id, role, email, invited_by, ends_at) values ($1, $2, $3, $4, $5, $6, now() + interval '${lifeDays} days')
         returning id, role, email, $7::text as invited_by, made_at, ends_at`,
        [storage.createId('inv'), hash, orgId, role, address, by.id, by.email],
      );
      if (!row) throw makeError('NOT_FOUND', { what: 'organisation' });
      return { invite: inviteOf(row), token };
    },
    async remove(orgId, id) {
      return (await database.query(`delete from invite where org_id = $1 and id = $2 and ${isOpen} returning 1`, [orgId, id])).length > 0;
    },
    async look(token) {
      const [row] = await database.query<OrganisationRow & Pick<Row, 'role' | 'email'>>(
        `select o.id as org_id, o.name, o.tier, o.seats, i.role, i.email from invite i join organisation o on o.id = i.org_id
         where i.token_hash = $1 and ${isOpen}`,
        [sha256(token)],
      );
      if (!row) throw makeError('LINK_INVALID');
      return { org: organisationOf(row), role: row.role, ...(row.email === null ? {} : { email: row.email }) };
    },
    async accept(token, person, transaction) {
      // A concurrent user waits for the row lock and then finds that the invitation was used.
      const [row] = await transaction.query<{ org_id: string; role: Role; email: string | null }>(
        `update invite set used_at = now(), used_by = $2 where token_hash = $1 and ${isOpen} returning org_id, role, email`,
        [sha256(token), person.id],
      );
      if (!row) throw makeError('LINK_INVALID');
      if (row.email !== null && row.email !== person.email) throw makeError('INVITE_FOR_OTHER', { email: person.email });
      // An invitation does not change the role of an existing member.
      const now = await directory.membership(row.org_id, person.id, transaction);
      if (!now) await directory.join(row.org_id, person.id, row.role, transaction);
      return { orgId: row.org_id, role: now?.role ?? row.role };
    },
    async sweep() {
      await database.query(`delete from invite where ends_at < now() - interval '30 days'`);
    },
  };
}

function inviteOf(row: Row): Invite {
  return {
    id: row.id,
    role: row.role,
    ...(row.email === null ? {} : { email: row.email }),
    ...(row.invited_by === null ? {} : { invitedBy: row.invited_by }),
    madeAt: row.made_at,
    endsAt: row.ends_at,
  };
}
