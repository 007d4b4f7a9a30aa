// Implements single sign-on: redirects a browser to its organisation's identity provider, and evaluates the returned identity.
import { randomBytes } from 'node:crypto';
import { isSameSecret, sha256 } from '#lib/hash';
import { entitlementsOf } from 'agent-harness/tiers';
import type { Audit } from 'agent-harness/builtins/control-plane/plane-audit-log';
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';
import type { PlaneKeys } from 'agent-harness/builtins/control-plane/plane-keys';
import type { People, Person } from 'agent-harness/builtins/control-plane/plane-people';
import type { Links } from './links.ts';
import type { Identity, ProviderClient } from './provider-client.ts';
import type { SsoStore } from './settings.ts';
import type { MakeError } from './sso-errors.ts';

export interface SsoSignIn {
  /**
   * Resolves with the redirect address, and with the cookie that identifies the browser when it returns.
   * @param linking signed-in user whose account is to be linked
   */
  begin(orgId: string, linking: Person | undefined): Promise<{ readonly url: string; readonly browser: string }>;
  /**
   * Resolves with the person and the organisation. `isLinked`: an account was linked, and the browser is not signed in. A sign-in can finish only once, in the
   * browser that started it.
   * @param who id of the user with an unbound session in this browser
   */
  end(
    answered: URL,
    browser: string | undefined,
    who: string | undefined,
  ): Promise<{ readonly userId: string; readonly orgId: string; readonly isLinked: boolean }>;
  /** Resolves with the origin at which the configured provider signs in users. Rejects with `NOT_SET_UP`, `PROVIDER_UNREACHABLE` and `PROVIDER_REFUSED`. */
  test(orgId: string): Promise<string>;
  /** Returns the organisation of an e-mail domain. Rejects with `NOT_SET_UP`. */
  organisationFor(email: string): Promise<string>;
  sweep(): Promise<void>;
}

export interface SsoParts {
  readonly database: Database;
  readonly keys: PlaneKeys;
  readonly people: People;
  readonly store: SsoStore;
  readonly links: Links;
  readonly client: ProviderClient;
  readonly redirectUri: () => string;
  readonly audit: () => Audit | undefined;
  readonly makeError: MakeError;
}

interface StateRow {
  readonly org_id: string;
  readonly issuer: string;
  readonly browser_hash: string;
  readonly nonce: string;
  readonly sealed_verifier: string;
  readonly user_id: string | null;
}

const lifeMinutes = 10;
const purpose = 'sso-verifier';

export function createSsoSignIn({ database, keys, people, store, links, client, redirectUri, audit, makeError }: SsoParts): SsoSignIn {
  async function providerOf(orgId: string): Promise<NonNullable<Awaited<ReturnType<SsoStore['provider']>>>> {
    const [org, provider] = await Promise.all([people.organisation(orgId), store.provider(orgId)]);
    if (!org || !provider || !entitlementsOf(org.tier).includes('enterprise.sso')) throw makeError('NOT_SET_UP');
    return provider;
  }

  /** Deletes the state, whatever the outcome. */
  async function takeState(state: string, browser: string | undefined): Promise<StateRow> {
    const [row] = await database.query<StateRow>(
      'delete from sso_state where state_hash = $1 and ends_at > now() returning org_id, issuer, browser_hash, nonce, sealed_verifier, user_id',
      [sha256(state)],
    );
    // Only the browser that started the sign-in may finish it. Otherwise, an attacker could sign in another user's browser with the attacker's account.
    if (!row || !isSameSecret(row.browser_hash, sha256(browser ?? ''))) throw makeError('STATE_INVALID');
    return row;
  }

  /** Adds a user whose e-mail address belongs to a domain that is verified for the organisation. */
  async function join(orgId: string, identity: Identity): Promise<string> {
    const { verifiedEmail: email } = identity;
    const domain = email?.slice(email.lastIndexOf('@') + 1);
    if (email === undefined || domain === undefined || (await store.ownerOf(domain)) !== orgId) throw makeError('NOT_INVITED');
    // An e-mail address does not prove identity: the owner of an account must confirm with the password.
    if (await people.find(email)) throw makeError('LINK_NEEDED');
    return database.transaction(async (query) => {
      const person = await people.create({ email }, query);
      await people.join(orgId, person.id, 'member', query);
      await query.query('insert into sso_identity (org_id, issuer, subject, user_id) values ($1, $2, $3, $4)', [
        orgId,
        identity.issuer,
        identity.subject,
        person.id,
      ]);
      await audit()?.record(orgId, { kind: 'member_joined', userId: person.id, metrics: { email, role: 'member', by: 'sso' } }, query);
      return person.id;
    });
  }

  return {
    async test(orgId) {
      const provider = await store.configured(orgId);
      if (!provider) throw makeError('NOT_SET_UP');
      const { url } = await client.begin(provider, redirectUri());
      return new URL(url).origin;
    },
    async begin(orgId, linking) {
      const provider = await providerOf(orgId);
      const { url, state, nonce, verifier } = await client.begin(provider, redirectUri());
      const browser = randomBytes(32).toString('base64url');
      await database.query(
        `insert into sso_state (state_hash, browser_hash, org_id, issuer, nonce, sealed_verifier, user_id, ends_at)
         values ($1, $2, $3, $4, $5, $6, $7, now() + interval '${lifeMinutes} minutes')`,
        [sha256(state), sha256(browser), orgId, provider.issuer, nonce, await keys.seal(verifier, purpose), linking?.id ?? null],
      );
      return { url, browser };
    },
    async end(answered, browser, who) {
      const state = answered.searchParams.get('state') ?? '';
      const { org_id: orgId, issuer, nonce, sealed_verifier, user_id: linking } = await takeState(state, browser);
      const provider = await providerOf(orgId);
      if (provider.issuer !== issuer) throw makeError('STATE_INVALID');
      const verifier = await keys.unseal(sealed_verifier, purpose);
      const identity = await client.end(provider, answered, { state, nonce, verifier });
      if (linking !== null) {
        // Links only to the user who is still signed in with this browser.
        if (who !== linking) throw makeError('STATE_INVALID');
        if (!(await people.membership(orgId, linking))) throw makeError('NOT_INVITED');
        await links.add(orgId, identity, linking);
        return { userId: linking, orgId, isLinked: true };
      }
      const userId = (await links.find(orgId, identity)) ?? (await join(orgId, identity));
      // Single sign-on does not restore removed members.
      if (!(await people.membership(orgId, userId))) throw makeError('NOT_INVITED');
      await audit()?.record(orgId, { kind: 'signed_in', userId, metrics: { by: 'sso' } });
      return { userId, orgId, isLinked: false };
    },
    async organisationFor(email) {
      const orgId = await store.ownerOf(email.slice(email.lastIndexOf('@') + 1).trim());
      if (orgId === undefined) throw makeError('NOT_SET_UP');
      return orgId;
    },
    async sweep() {
      await database.query('delete from sso_state where ends_at < now()');
    },
  };
}
