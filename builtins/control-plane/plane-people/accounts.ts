// Implements sign-up, password checks and password resets of the people on a control plane.
import { sha256 } from '#lib/hash';
import type { Audit } from 'agent-harness/builtins/control-plane/plane-audit-log';
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';
import type { AccessChange, Person } from './contract.ts';
import type { Credentials } from './credentials.ts';
import { emailOf, type Directory } from './directory.ts';
import type { Invites } from './invites.ts';
import { makeLinkToken } from './links.ts';
import { isPasswordLengthAllowed, type Passwords } from './passwords.ts';
import type { MakeError } from './people-errors.ts';

export interface SignUp {
  readonly email: string;
  readonly password: string;
  /** Name of the new organisation; default: the domain of the e-mail address. Ignored with an invitation. */
  readonly orgName?: string | undefined;
  /** Token of the link that creates the first owner. */
  readonly setup?: string | undefined;
  /** Token of an invitation. */
  readonly invite?: string | undefined;
}

export interface Accounts {
  /**
   * Creates a person who joins the organisation of the invitation or becomes the owner of a new organisation. Rejects with `SIGN_UP_CLOSED`, `LINK_INVALID`,
   * `SET_UP_DONE`, and with the errors of creating a person and of joining; in these cases no person is created.
   */
  signUp(request: SignUp): Promise<{ readonly person: Person; readonly orgId: string }>;
  /** Creates the first owner without a link. Rejects with `SET_UP_DONE`. */
  setUp(owner: { readonly email: string; readonly password: string; readonly orgName?: string | undefined }): Promise<void>;
  /** Returns the token of the address for creating the first owner; `undefined` if an owner exists. */
  makeSetUpToken(): Promise<string | undefined>;
  /** Returns the person if the password is correct. Takes the same time for an unknown account. Rejects with `SIGN_IN_WRONG`. */
  check(email: string, password: string): Promise<Person>;
  /** Checks the password of a signed-in person. Rejects with `PASSWORD_WRONG`. */
  confirm(person: Person, password: string): Promise<void>;
  /** Changes the password, and ends the person's other credentials. Rejects with `PASSWORD_WRONG`, `PASSWORD_WEAK`. */
  changePassword(person: Person, current: string, password: string, credential: string): Promise<readonly AccessChange[]>;
  /** Returns the token of a link for setting a new password, and the only address to which it may be sent; `undefined` for an unknown account. */
  makeReset(email: string): Promise<{ readonly token: string; readonly email: string } | undefined>;
  /** Sets a new password and ends all credentials of the person. Rejects with `LINK_INVALID`, `PASSWORD_WEAK`. */
  reset(token: string, password: string): Promise<readonly AccessChange[]>;
  /** Deletes expired links. */
  sweep(): Promise<void>;
}

export interface AccountParts {
  readonly database: Database;
  readonly directory: Directory;
  readonly invites: Invites;
  readonly credentials: Credentials;
  readonly passwords: Passwords;
  readonly audit: () => Audit | undefined;
  /** Returns whether any person may sign up. */
  readonly isOpen: () => boolean;
  readonly makeError: MakeError;
}

const isLink = 'token_hash = $1 and ends_at > now()';

export function createAccounts({ database, directory, invites, credentials, passwords, audit, isOpen, makeError }: AccountParts): Accounts {
  const nameFor = (orgName: string | undefined, email: string): string => orgName ?? email.slice(email.indexOf('@') + 1);

  async function hashAllowed(password: string): Promise<string> {
    if (!isPasswordLengthAllowed(password)) throw makeError('PASSWORD_WEAK');
    return passwords.hash(password);
  }

  async function confirm(person: Person, password: string): Promise<void> {
    const [row] = await database.query<{ password: string | null }>('select password from person where id = $1', [person.id]);
    // The user is signed in, so a browser must not treat this error as an ended session.
    if (!(await passwords.isRight(password, row?.password ?? undefined))) throw makeError('PASSWORD_WRONG');
  }

  return {
    async signUp({ email, password, orgName, setup, invite }) {
      if (setup === undefined && invite === undefined && !(isOpen() && (await directory.operator()))) throw makeError('SIGN_UP_CLOSED');
      // Checks the invitation before the expensive password hash, and again when the invitation is used.
      const invited = invite === undefined ? undefined : await invites.look(invite);
      if (invited?.email !== undefined && invited.email !== emailOf(email)) throw makeError('INVITE_FOR_OTHER', { email });
      if (setup !== undefined && (await database.query(`select 1 from set_up_token where ${isLink}`, [sha256(setup)])).length === 0)
        throw makeError('LINK_INVALID');
      const prepared = await directory.prepare({ email, password });
      return database.transaction(async (query) => {
        const person = await directory.insert(prepared, query);
        if (invite !== undefined) {
          const { orgId, role } = await invites.accept(invite, person, query);
          await audit()?.record(orgId, { kind: 'member_joined', userId: person.id, metrics: { email: person.email, role } }, query);
          return { person, orgId };
        }
        const name = nameFor(orgName, prepared.email);
        if (setup !== undefined) {
          const used = await query.query(`delete from set_up_token where ${isLink} returning 1`, [sha256(setup)]);
          if (used.length === 0) throw makeError('LINK_INVALID');
        }
        const org = setup === undefined ? await directory.createOrganisation(name, query) : await directory.createFirst(name, query);
        await directory.join(org.id, person.id, 'owner', query);
        await audit()?.record(org.id, { kind: 'organisation_made', userId: person.id, metrics: { email: person.email } }, query);
        return { person, orgId: org.id };
      });
    },
    async setUp({ email, password, orgName }) {
      if (await directory.operator()) throw makeError('SET_UP_DONE');
      const prepared = await directory.prepare({ email, password });
      await database.transaction(async (query) => {
        const person = await directory.insert(prepared, query);
        const org = await directory.createFirst(nameFor(orgName, prepared.email), query);
        await directory.join(org.id, person.id, 'owner', query);
        await audit()?.record(org.id, { kind: 'organisation_made', metrics: { email: person.email } }, query);
      });
    },
    async makeSetUpToken() {
      if (await directory.operator()) return undefined;
      const { token, hash } = makeLinkToken();
      await database.query(`insert into set_up_token (token_hash, ends_at) values ($1, now() + interval '1 hour')`, [hash]);
      return token;
    },
    async check(email, password) {
      const address = emailOf(email) ?? '';
      const [row] = await database.query<Person & { password: string | null }>('select id, email, password from person where email = $1', [address]);
      const isRight = await passwords.isRight(password, row?.password ?? undefined);
      if (!row || !isRight) throw makeError('SIGN_IN_WRONG');
      return { id: row.id, email: row.email };
    },
    confirm,
    async changePassword(person, current, password, credential) {
      await confirm(person, current);
      const hash = await hashAllowed(password);
      return database.transaction(async (query) => {
        await query.query('update person set password = $2 where id = $1', [person.id, hash]);
        await query.query('delete from password_reset where user_id = $1', [person.id]);
        return credentials.end(person.id, { except: credential }, query);
      });
    },
    async makeReset(email) {
      const person = await directory.find(email);
      if (!person) return undefined;
      const { token, hash } = makeLinkToken();
      await database.transaction(async (query) => {
        // Only the newest link works.
        await query.query('delete from password_reset where user_id = $1', [person.id]);
        await query.query(`insert into password_reset (token_hash, user_id, ends_at) values ($1, $2, now() + interval '1 hour')`, [hash, person.id]);
      });
      return { token, email: person.email };
    },
    async reset(token, password) {
      const known = `select user_id from password_reset where ${isLink}`;
      if ((await database.query(known, [sha256(token)])).length === 0) throw makeError('LINK_INVALID');
      const hash = await hashAllowed(password);
      return database.transaction(async (query) => {
        const [row] = await query.query<{ user_id: string }>(`delete from password_reset where ${isLink} returning user_id`, [sha256(token)]);
        if (!row) throw makeError('LINK_INVALID');
        await query.query('update person set password = $2 where id = $1', [row.user_id, hash]);
        return credentials.end(row.user_id, {}, query);
      });
    },
    async sweep() {
      await database.query('delete from password_reset where ends_at < now()');
      await database.query('delete from set_up_token where ends_at < now()');
    },
  };
}
