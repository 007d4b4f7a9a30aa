// Connected accounts: kept sealed, refreshed before they run out, revoked when they go.
import type { ConnectionStore, ProviderAccount } from 'agent-harness/plugins/connections';
import type { HostedSite, MakeError } from './hosted-site.ts';

/** An account as it stands in `integrations.json`. */
export interface SavedAccount {
  readonly accountId: string;
  readonly email?: string;
  readonly name?: string;
  readonly mode: 'read_write' | 'read_only';
  readonly scopes: readonly string[];
  /** ISO 8601 UTC. */
  readonly expiresAt?: string;
  readonly isHealthy: boolean;
  /** Sealed. */
  readonly accessToken: string;
  /** Sealed. */
  readonly refreshToken?: string;
}

export interface NewAccount {
  readonly accountId: string;
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly mode: 'read_write' | 'read_only';
  readonly scopes: readonly string[];
  readonly expiresAt?: string | undefined;
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
}

export interface Accounts {
  of(provider: string): Promise<readonly SavedAccount[]>;
  all(): Promise<Readonly<Record<string, readonly SavedAccount[]>>>;
  save(provider: string, account: NewAccount): Promise<void>;
  /** One account or, without an id, all. Answers which went, and whether all of them are revoked where that was asked for. */
  remove(
    provider: string,
    options: { readonly accountId?: string; readonly revoke?: { readonly url?: string } },
  ): Promise<{ count: number; isRevoked: boolean }>;
  /** See the contract of the service. Without an id: the first account. */
  token(provider: string, accountId?: string): Promise<string>;
  /** A call told that the token is no longer good. */
  failed(provider: string, accountId: string): Promise<void>;
}

interface Parts {
  readonly store: ConnectionStore;
  readonly site: HostedSite;
  readonly changed: (provider: string, status: string) => void;
  readonly makeError: MakeError;
}

const section = 'providers';
/** A token with less than this left is refreshed before it is used. */
const marginMs = 120_000;

type Saved = readonly SavedAccount[];

export function createAccounts({ store, site, changed, makeError }: Parts): Accounts {
  /** One refresh at a time for each account: a refresh token often works only once. */
  const refreshing = new Map<string, Promise<string>>();

  const of = async (provider: string): Promise<Saved> => {
    const all = await store.entries<Saved>(section);
    return Object.hasOwn(all, provider) ? (all[provider] ?? []) : [];
  };

  async function change(provider: string, work: (accounts: Saved) => Saved): Promise<void> {
    const now = await store.update<Saved>(section, provider, (accounts = []) => {
      const next = work(accounts);
      return next.length === 0 ? undefined : next;
    });
    changed(provider, statusOf(now ?? []));
  }

  async function sealed(account: NewAccount): Promise<SavedAccount> {
    const { accessToken, refreshToken, email, name, expiresAt, ...rest } = account;
    return {
      ...rest,
      ...(email === undefined ? {} : { email }),
      ...(name === undefined ? {} : { name }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
      isHealthy: true,
      accessToken: await store.seal(accessToken),
      ...(refreshToken === undefined ? {} : { refreshToken: await store.seal(refreshToken) }),
    };
  }

  async function refresh(provider: string, account: SavedAccount): Promise<string> {
    const refreshToken = account.refreshToken === undefined ? undefined : await store.unseal(account.refreshToken);
    if (refreshToken === undefined) throw makeError('NEEDS_SIGN_IN', { provider, why: 'its token has run out' });
    try {
      const fresh = await site.refresh(provider, refreshToken);
      const { email, name, mode, scopes, accountId } = account;
      const next = await sealed({ accountId, email, name, mode, scopes, refreshToken, ...fresh });
      await change(provider, (accounts) => accounts.map((one) => (one.accountId === accountId ? next : one)));
      return fresh.accessToken;
    } catch (fault) {
      await markUnhealthy(provider, account.accountId);
      throw makeError('NEEDS_SIGN_IN', { provider, why: fault instanceof Error ? fault.message : 'its token could not be refreshed' });
    }
  }

  async function markUnhealthy(provider: string, accountId: string): Promise<void> {
    await change(provider, (accounts) => accounts.map((one) => (one.accountId === accountId ? { ...one, isHealthy: false } : one)));
  }

  return {
    of,
    all: () => store.entries<Saved>(section),
    async save(provider, account) {
      const saved = await sealed(account);
      await change(provider, (accounts) => [...accounts.filter((one) => one.accountId !== saved.accountId), saved]);
    },
    async remove(provider, { accountId, revoke }) {
      const going = (await of(provider)).filter((one) => accountId === undefined || one.accountId === accountId);
      await change(provider, (accounts) => accounts.filter((one) => !going.some((gone) => gone.accountId === one.accountId)));
      if (!revoke) return { count: going.length, isRevoked: false };
      const results = await Promise.all(
        going.map(async (one) => {
          const token = await store.unseal(one.refreshToken ?? one.accessToken);
          return token !== undefined && site.revoke(provider, token, revoke.url);
        }),
      );
      return { count: going.length, isRevoked: results.length > 0 && results.every(Boolean) };
    },
    async token(provider, accountId) {
      const account = (await of(provider)).find((one) => accountId === undefined || one.accountId === accountId);
      if (!account) throw makeError('NEEDS_SIGN_IN', { provider, why: accountId === undefined ? 'no account is connected' : 'this account is not connected' });
      if (account.expiresAt === undefined || Date.parse(account.expiresAt) - Date.now() > marginMs) {
        const token = await store.unseal(account.accessToken);
        if (token === undefined) throw makeError('NEEDS_SIGN_IN', { provider, why: 'its token cannot be opened on this machine' });
        return token;
      }
      const id = `${provider} ${account.accountId}`;
      const running = refreshing.get(id) ?? refresh(provider, account).finally(() => refreshing.delete(id));
      refreshing.set(id, running);
      return running;
    },
    failed: markUnhealthy,
  };
}

export function statusOf(accounts: Saved): 'connected' | 'disconnected' | 'unhealthy' {
  if (accounts.length === 0) return 'disconnected';
  return accounts.every((account) => account.isHealthy) ? 'connected' : 'unhealthy';
}

/** Without its tokens. */
export function publicAccount({ accountId, email, name, mode, scopes, expiresAt, isHealthy }: SavedAccount): ProviderAccount {
  return {
    accountId,
    mode,
    scopes,
    healthy: isHealthy,
    ...(email === undefined ? {} : { email }),
    ...(name === undefined ? {} : { name }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}
