// Stores an organisation's single sign-on settings: the identity provider, and the domains whose users join automatically.
import { textStart } from '#lib/text';
import type { Audit } from 'agent-harness/builtins/control-plane/plane-audit-log';
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';
import type { PlaneKeys } from 'agent-harness/builtins/control-plane/plane-keys';
import type { MakeError } from './sso-errors.ts';

export interface SsoSettings {
  readonly enabled: boolean;
  readonly issuer: string;
  readonly clientId: string;
  readonly hasSecret: boolean;
  readonly domains: readonly { readonly domain: string; readonly proven: boolean }[];
}

export interface SsoChange {
  readonly enabled: boolean;
  readonly issuer: string;
  readonly clientId: string;
  /** Default: unchanged, if issuer and client stay the same. An empty text removes the secret. */
  readonly clientSecret?: string | undefined;
  readonly domains: readonly string[];
}

export interface SsoProvider {
  readonly orgId: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: string;
}

export interface SsoStore {
  read(orgId: string): Promise<SsoSettings>;
  /**
   * Saves the settings; resolves to `true` if users of the previous provider must link their accounts again. Rejects with `ISSUER_INVALID` and
   * `DOMAIN_INVALID`.
   */
  write(orgId: string, change: SsoChange, userId: string): Promise<boolean>;
  /** Removes the provider and the domains; the provider's users then need a password. Resolves to `true` if a provider existed. */
  remove(orgId: string, userId: string): Promise<boolean>;
  /** Returns the configured provider, enabled or not; `undefined` if there is none. */
  configured(orgId: string): Promise<SsoProvider | undefined>;
  /** Returns the provider if it is enabled and the plan includes it. */
  provider(orgId: string): Promise<SsoProvider | undefined>;
  /** Returns the organisation for which the domain is verified. */
  ownerOf(domain: string): Promise<string | undefined>;
  /** Marks a domain as verified for an organisation. Rejects with `DOMAIN_UNKNOWN`, `DOMAIN_TAKEN`. */
  prove(orgId: string, domain: string): Promise<void>;
}

export interface SsoStoreParts {
  readonly database: Database;
  readonly keys: PlaneKeys;
  readonly audit: () => Audit | undefined;
  /** Resolves to `true` if an organisation may use a provider inside the network of this control plane. */
  readonly mayBeInside: (orgId: string) => Promise<boolean>;
  /** Returns whether the issuer may be reached without TLS, in a control plane that serves only its own machine. */
  readonly allowsPlain: (url: URL) => boolean;
  readonly makeError: MakeError;
}

interface Row {
  readonly enabled: boolean;
  readonly issuer: string;
  readonly client_id: string;
  readonly sealed_secret: string | null;
}

const uniqueViolation = '23505';

export function createSsoStore({ database, keys, audit, mayBeInside, allowsPlain, makeError }: SsoStoreParts): SsoStore {
  const purpose = (orgId: string): string => `sso-secret ${orgId}`;
  const readRow = async (orgId: string): Promise<Row | undefined> =>
    (await database.query<Row>('select enabled, issuer, client_id, sealed_secret from sso_config where org_id = $1', [orgId]))[0];

  function checkIssuer(text: string, isInside: boolean): string {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isFine = url && (url.protocol === 'https:' || (isInside && allowsPlain(url))) && url.username === '' && url.search === '' && url.hash === '';
    if (!isFine) throw makeError('ISSUER_INVALID');
    return text;
  }

  async function configured(orgId: string): Promise<SsoProvider | undefined> {
    const row = await readRow(orgId);
    if (!row) return undefined;
    const secret = row.sealed_secret === null ? {} : { clientSecret: await keys.unseal(row.sealed_secret, purpose(orgId)) };
    return { orgId, issuer: row.issuer, clientId: row.client_id, ...secret };
  }

  return {
    async read(orgId) {
      const row = await readRow(orgId);
      const domains = await database.query<{ domain: string; proven: boolean }>(
        'select domain, proven_at is not null as proven from sso_domain where org_id = $1 order by domain',
        [orgId],
      );
      return { enabled: row?.enabled ?? false, issuer: row?.issuer ?? '', clientId: row?.client_id ?? '', hasSecret: row?.sealed_secret != null, domains };
    },
    async write(orgId, { enabled, issuer, clientId, clientSecret, domains }, userId) {
      checkIssuer(issuer, await mayBeInside(orgId));
      const names = [...new Set(domains.map((domain) => domainOf(domain, makeError)))];
      const before = await readRow(orgId);
      const isSame = before?.issuer === issuer && before.client_id === clientId;
      // The secret is kept only for the same provider.
      const kept = isSame ? before.sealed_secret : null;
      const sealed = clientSecret === undefined ? kept : clientSecret === '' ? null : await keys.seal(clientSecret, purpose(orgId));
      await database.transaction(async (query) => {
        await query.query(
          `insert into sso_config (org_id, enabled, issuer, client_id, sealed_secret) values ($1, $2, $3, $4, $5)
           on conflict (org_id) do update set enabled = $2, issuer = $3, client_id = $4, sealed_secret = $5, changed_at = now()`,
          [orgId, enabled, issuer, clientId, sealed],
        );
        await query.query('delete from sso_domain where org_id = $1 and not domain = any($2)', [orgId, names]);
        await query.query('insert into sso_domain (org_id, domain) select $1, unnest($2::text[]) on conflict do nothing', [orgId, names]);
        // Aborts pending sign-ins of the previous provider.
        await query.query('delete from sso_state where org_id = $1', [orgId]);
        await audit()?.record(orgId, { kind: 'sso_changed', userId, metrics: { enabled, issuer, clientId, domains: names } }, query);
      });
      return !enabled || !isSame;
    },
    remove: (orgId, userId) =>
      database.transaction(async (query) => {
        const [row] = await query.query<Pick<Row, 'issuer'>>('delete from sso_config where org_id = $1 returning issuer', [orgId]);
        const domains = await query.query<{ domain: string }>('delete from sso_domain where org_id = $1 returning domain', [orgId]);
        await query.query('delete from sso_state where org_id = $1', [orgId]);
        if (!row && domains.length === 0) return false;
        const metrics = { ...row, domains: domains.map(({ domain }) => domain) };
        await audit()?.record(orgId, { kind: 'sso_removed', userId, metrics }, query);
        return true;
      }),
    configured,
    provider: async (orgId) => ((await readRow(orgId))?.enabled ? configured(orgId) : undefined),
    async ownerOf(domain) {
      const [row] = await database.query<{ org_id: string }>('select org_id from sso_domain where domain = $1 and proven_at is not null', [
        domain.toLowerCase(),
      ]);
      return row?.org_id;
    },
    async prove(orgId, domain) {
      const name = domainOf(domain, makeError);
      try {
        const proven = await database.query('update sso_domain set proven_at = coalesce(proven_at, now()) where org_id = $1 and domain = $2 returning 1', [
          orgId,
          name,
        ]);
        if (proven.length === 0) throw makeError('DOMAIN_UNKNOWN', { domain: name });
      } catch (fault) {
        if ((fault as { readonly code?: unknown }).code === uniqueViolation) throw makeError('DOMAIN_TAKEN', { domain: name }, fault);
        throw fault;
      }
    },
  };
}

function domainOf(text: string, makeError: MakeError): string {
  const domain = text.trim().toLowerCase();
  if (domain.length > 253 || !/^(?=.*\.)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/.test(domain)) {
    throw makeError('DOMAIN_INVALID', { domain: textStart(domain, 100) });
  }
  return domain;
}
