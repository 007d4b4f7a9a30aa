// Stores people, organisations and memberships in the database.
import type { Role } from 'agent-harness/plugins/http';
import type { Tier } from 'agent-harness/plugins/licensing';
import type { Storage } from 'agent-harness/plugins/storage';
import type { Database, Query } from 'agent-harness/builtins/control-plane/plane-database';
import type { Membership, NewPerson, Organisation, Person } from './contract.ts';
import { isPasswordLengthAllowed, type Passwords } from './passwords.ts';
import type { MakeError } from './people-errors.ts';

export interface Directory {
  find(email: string): Promise<Person | undefined>;
  organisation(orgId: string): Promise<Organisation | undefined>;
  operator(): Promise<Organisation | undefined>;
  membership(orgId: string, userId: string, transaction?: Query): Promise<Membership | undefined>;
  organisationsOf(userId: string): Promise<{ readonly org: Organisation; readonly role: Role }[]>;
  create(person: NewPerson, transaction?: Query): Promise<Person>;
  /** Validates a person and hashes the password, which takes too long for a transaction. Rejects with `EMAIL_INVALID` and `PASSWORD_WEAK`. */
  prepare(person: NewPerson): Promise<PreparedPerson>;
  /** Inserts a prepared person. Rejects with `EMAIL_TAKEN`. */
  insert(person: PreparedPerson, transaction: Query): Promise<Person>;
  createOrganisation(name: string, transaction?: Query): Promise<Organisation>;
  /** Creates the organisation that operates the control plane. Rejects with `SET_UP_DONE` if an organisation exists. */
  createFirst(name: string, transaction: Query): Promise<Organisation>;
  /** Locks the organisation until the end of the transaction, so that its members do not change in the meantime. Rejects with `NOT_FOUND`. */
  lock(orgId: string, transaction: Query): Promise<Organisation>;
  join(orgId: string, userId: string, role: Role, transaction?: Query): Promise<void>;
  /** Removes a membership. Rejects with `NOT_FOUND`, `LAST_OWNER`. */
  leave(orgId: string, userId: string, transaction: Query): Promise<void>;
}

export interface PreparedPerson extends Person {
  /** Hash stored in the database. */
  readonly password: string | null;
}

export interface DirectoryParts {
  readonly database: Database;
  readonly storage: Pick<Storage, 'createId'>;
  readonly passwords: Passwords;
  readonly makeError: MakeError;
}

export interface OrganisationRow {
  readonly org_id: string;
  readonly name: string;
  readonly tier: Tier;
  readonly seats: number;
}

type MemberRow = OrganisationRow & { readonly user_id: string; readonly email: string; readonly role: Role };

/** Maximum length of an e-mail address in characters. */
const maxEmailLength = 254;
/** Maximum length of an organisation's name in characters. */
const maxNameLength = 100;
const organisationColumns = 'o.id as org_id, o.name, o.tier, o.seats';
/** Initial seats of the organisation that operates the control plane; its owners may change them. */
const operatorSeats = 100;
const communitySeats = 5;

export function createDirectory({ database, storage, passwords, makeError }: DirectoryParts): Directory {
  const within = <T>(transaction: Query | undefined, work: (query: Query) => Promise<T>): Promise<T> =>
    transaction ? work(transaction) : database.transaction(work);

  /** Serialises changes per organisation, so that the counts of seats and owners stay valid. */
  async function lock(orgId: string, query: Query): Promise<Organisation> {
    const [row] = await query.query<OrganisationRow>(`select ${organisationColumns} from organisation o where o.id = $1 for update`, [orgId]);
    if (!row) throw makeError('NOT_FOUND', { what: 'organisation' });
    return organisationOf(row);
  }

  async function guardLastOwner(orgId: string, userId: string, query: Query): Promise<void> {
    const owners = await query.query<{ user_id: string }>(`select user_id from membership where org_id = $1 and role = 'owner'`, [orgId]);
    if (owners.length === 1 && owners[0]?.user_id === userId) throw makeError('LAST_OWNER');
  }

  async function prepare({ email, password }: NewPerson): Promise<PreparedPerson> {
    const address = emailOf(email);
    if (address === undefined) throw makeError('EMAIL_INVALID');
    if (password !== undefined && !isPasswordLengthAllowed(password)) throw makeError('PASSWORD_WEAK');
    return { id: storage.createId('user'), email: address, password: password === undefined ? null : await passwords.hash(password) };
  }

  async function insert({ id, email, password }: PreparedPerson, query: Query): Promise<Person> {
    const made = await query.query('insert into person (id, email, password) values ($1, $2, $3) on conflict (email) do nothing returning id', [
      id,
      email,
      password,
    ]);
    if (made.length === 0) throw makeError('EMAIL_TAKEN');
    return { id, email };
  }

  /** The first organisation operates the control plane; a lock serialises simultaneous creations. */
  async function makeOrganisation(name: string, query: Query, { isFirst = false } = {}): Promise<Organisation> {
    await query.query('lock table organisation in share row exclusive mode');
    const [first] = await query.query('select 1 from organisation where operates');
    if (first && isFirst) throw makeError('SET_UP_DONE');
    const plan = first ? ({ tier: 'community', seats: communitySeats } as const) : ({ tier: 'enterprise', seats: operatorSeats } as const);
    const org: Organisation = { id: storage.createId('org'), name: nameOf(name), ...plan };
    await query.query('insert into organisation (id, name, tier, seats, operates) values ($1, $2, $3, $4, $5)', [
      org.id,
      org.name,
      org.tier,
      org.seats,
      first === undefined,
    ]);
    return org;
  }

  return {
    async find(email) {
      const [row] = await database.query<Person>('select id, email from person where email = $1', [email.trim().toLowerCase()]);
      return row;
    },
    async organisation(orgId) {
      const [row] = await database.query<OrganisationRow>(`select ${organisationColumns} from organisation o where o.id = $1`, [orgId]);
      return row && organisationOf(row);
    },
    async operator() {
      const [row] = await database.query<OrganisationRow>(`select ${organisationColumns} from organisation o where o.operates`);
      return row && organisationOf(row);
    },
    async membership(orgId, userId, transaction = database) {
      const [row] = await transaction.query<MemberRow>(
        `select ${organisationColumns}, p.id as user_id, p.email, m.role from membership m
         join organisation o on o.id = m.org_id join person p on p.id = m.user_id where m.org_id = $1 and m.user_id = $2`,
        [orgId, userId],
      );
      return row && { person: { id: row.user_id, email: row.email }, org: organisationOf(row), role: row.role };
    },
    async organisationsOf(userId) {
      const rows = await database.query<OrganisationRow & { role: Role }>(
        `select ${organisationColumns}, m.role from membership m join organisation o on o.id = m.org_id where m.user_id = $1 order by m.used_at desc, o.id`,
        [userId],
      );
      return rows.map((row) => ({ org: organisationOf(row), role: row.role }));
    },
    prepare,
    insert,
    create: async (person, transaction = database) => insert(await prepare(person), transaction),
    lock,
    createOrganisation: (name, transaction) => within(transaction, (query) => makeOrganisation(name, query)),
    createFirst: (name, query) => makeOrganisation(name, query, { isFirst: true }),
    join: (orgId, userId, role, transaction) =>
      within(transaction, async (query) => {
        const { seats } = await lock(orgId, query);
        const members = await query.query<{ user_id: string }>('select user_id from membership where org_id = $1', [orgId]);
        const isMember = members.some(({ user_id }) => user_id === userId);
        if (!isMember && members.length >= seats) throw makeError('SEATS_TAKEN', { seats });
        if (role !== 'owner') await guardLastOwner(orgId, userId, query);
        await query.query(
          'insert into membership (org_id, user_id, role) values ($1, $2, $3) on conflict (org_id, user_id) do update set role = excluded.role',
          [orgId, userId, role],
        );
      }),
    async leave(orgId, userId, query) {
      await lock(orgId, query);
      await guardLastOwner(orgId, userId, query);
      const gone = await query.query('delete from membership where org_id = $1 and user_id = $2 returning 1', [orgId, userId]);
      if (gone.length === 0) throw makeError('NOT_FOUND', { what: 'member' });
    },
  };
}

export function organisationOf({ org_id, name, tier, seats }: OrganisationRow): Organisation {
  return { id: org_id, name, tier, seats };
}

/** Returns the address in lower case; `undefined` if it is invalid. */
export function emailOf(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  const isAddress = /^[^\s\p{C}@"'<>(),:;\\[\]]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u.test(email) && !email.includes('..');
  return isAddress && email.length <= maxEmailLength ? email : undefined;
}

/** Normalises a name to one line without control or invisible characters. */
function nameOf(text: string): string {
  const plain = text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return [...plain].slice(0, maxNameLength).join('') || 'Organisation';
}
