// Manages connected accounts: stores them encrypted, refreshes their tokens before they expire, and revokes removed ones.
import { codeOf } from '#lib/errors';
import { sha256 } from '#lib/hash';
import { textStart } from '#lib/text';
import type { ConnectionStore, ProviderAccount, ProviderStatus } from 'agent-harness/plugins/connections';
import type { HostedSite, MakeError } from './hosted-site.ts';

/** An account as stored in `integrations.json`. */
export interface SavedAccount {
  readonly accountId: string;
  readonly email?: string;
  readonly name?: string;
  readonly mode: 'read_write' | 'read_only';
  readonly scopes: readonly string[];
  readonly expiresAt?: string;
  readonly isHealthy: boolean;
  /** Access token, encrypted. */
  readonly accessToken: string;
  /** Refresh token, encrypted. */
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
  /** Returns the status of a provider with these accounts. */
  status(provider: string, saved: readonly SavedAccount[]): ProviderStatus;
  /** Returns an account without its tokens. */
  shown(provider: string, account: SavedAccount): ProviderAccount;
  save(provider: string, account: NewAccount): Promise<void>;
  /**
   * Removes one account, or all accounts if no id is given. Resolves with the removed accounts and, if revocation was requested, whether all of them were
   * revoked.
   */
  remove(
    provider: string,
    options: { readonly accountId?: string; readonly revoke?: { readonly url?: string } },
  ): Promise<{ count: number; isRevoked: boolean }>;
  /** Returns a token; see the contract of the service. Default: a token of the first account. */
  token(provider: string, accountId?: string): Promise<string>;
  /** Marks an account after a call reported its token as invalid, unless the token was renewed in the meantime. */
  failed(provider: string, accountId: string, token: string): Promise<void>;
}

interface Parts {
  readonly store: ConnectionStore;
  readonly site: HostedSite;
  readonly changed: (provider: string, status: string) => void;
  readonly makeError: MakeError;
  readonly warn: (message: string) => void;
}

const section = 'providers';
/** Minimum remaining lifetime of a token in milliseconds; a token with less is refreshed before use. */
const marginMs = 120_000;
/** Maximum number of waits for another process. */
const busyTries = 3;

type Saved = readonly SavedAccount[];

export function createAccounts({ store, site, changed, makeError, warn }: Parts): Accounts {
  /** Pending refreshes by account; a refresh token often works only once. */
  const refreshing = new Map<string, Promise<string>>();
  /** Accounts whose last refresh did not reach the provider; not stored, because the state is temporary. */
  const unreachable = new Set<string>();

  const warned = new Set<string>();

  /** Returns the validated accounts of the file, which users can edit. */
  async function all(): Promise<Record<string, Saved>> {
    const entries = Object.entries(await store.entries<unknown>(section));
    for (const [provider, saved] of entries) {
      if (isSaved(saved) || warned.size === warned.add(provider).size) continue;
      warn(`the saved accounts of '${textStart(provider, 40)}' cannot be read and are left unchanged`);
    }
    return Object.fromEntries(entries.filter((entry): entry is [string, Saved] => isSaved(entry[1])));
  }

  const of = async (provider: string): Promise<Saved> => {
    const known = await all();
    return Object.hasOwn(known, provider) ? (known[provider] ?? []) : [];
  };

  async function change(provider: string, work: (accounts: Saved) => Saved): Promise<void> {
    const now = await store.update<Saved>(section, provider, (accounts) => {
      const next = work(isSaved(accounts) ? accounts : []);
      return next.length === 0 ? undefined : next;
    });
    changed(provider, status(provider, now ?? []));
  }

  function status(provider: string, saved: Saved): ProviderStatus {
    if (saved.length === 0) return 'disconnected';
    if (saved.some((account) => account.isHealthy && isReachable(provider, account))) return 'connected';
    return saved.every((account) => account.isHealthy) ? 'unreachable' : 'unhealthy';
  }

  function isReachable(provider: string, { accountId }: SavedAccount): boolean {
    return !unreachable.has(idOf(provider, accountId));
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

  /** Refreshes a token. Takes a lock, because only one process of this home folder may use a refresh token. */
  async function refresh(provider: string, accountId: string): Promise<string> {
    for (let tries = 1; ; tries++) {
      try {
        return await store.exclusively(`refresh-${sha256(idOf(provider, accountId)).slice(0, 32)}`, () => refreshAlone(provider, accountId));
      } catch (fault) {
        if (codeOf(fault) !== 'STORAGE_ERR_BUSY') throw fault;
        if (tries === busyTries)
          throw makeError('UNREACHABLE', { provider, why: 'Another process on this machine is refreshing it and has not finished.' }, fault);
      }
    }
  }

  async function refreshAlone(provider: string, accountId: string): Promise<string> {
    const account = (await of(provider)).find((one) => one.accountId === accountId);
    if (!account) throw makeError('NEEDS_SIGN_IN', { provider, why: 'this account is not connected' });
    // The previous lock holder has already refreshed the token.
    if (isFresh(account)) return opened(provider, account);
    const refreshToken = account.refreshToken === undefined ? undefined : await store.unseal(account.refreshToken);
    if (refreshToken === undefined) throw makeError('NEEDS_SIGN_IN', { provider, why: 'its token has expired' });
    const { email, name, mode, scopes } = account;
    const fresh = await site.refresh(provider, refreshToken).catch(async (fault: unknown) => {
      if (isUnreachable(fault)) await markUnreachable(provider, accountId);
      else if (needsSignIn(fault)) await markUnhealthy(provider, account);
      throw fault;
    });
    const next = await sealed({ accountId, email, name, mode, scopes, refreshToken, ...fresh });
    unreachable.delete(idOf(provider, accountId));
    await change(provider, (accounts) => accounts.map((one) => (isSame(one, account) ? next : one)));
    return fresh.accessToken;
  }

  async function opened(provider: string, account: SavedAccount): Promise<string> {
    const token = await store.unseal(account.accessToken);
    if (token === undefined) throw makeError('NEEDS_SIGN_IN', { provider, why: 'its token cannot be decrypted on this machine' });
    return token;
  }

  async function markUnreachable(provider: string, accountId: string): Promise<void> {
    const id = idOf(provider, accountId);
    if (unreachable.has(id)) return;
    unreachable.add(id);
    changed(provider, status(provider, await of(provider)));
  }

  /** Marks an account as unhealthy, unless it was reconnected or refreshed in the meantime. */
  async function markUnhealthy(provider: string, account: SavedAccount): Promise<void> {
    unreachable.delete(idOf(provider, account.accountId));
    await change(provider, (accounts) => accounts.map((one) => (isSame(one, account) ? { ...one, isHealthy: false } : one)));
  }

  return {
    of,
    all,
    status,
    shown(provider, account) {
      const { accountId, email, name, mode, scopes, expiresAt, isHealthy } = account;
      return {
        accountId,
        mode,
        scopes,
        healthy: isHealthy,
        reachable: isReachable(provider, account),
        ...(email === undefined ? {} : { email }),
        ...(name === undefined ? {} : { name }),
        ...(expiresAt === undefined ? {} : { expiresAt }),
      };
    },
    async save(provider, account) {
      const saved = await sealed(account);
      unreachable.delete(idOf(provider, saved.accountId));
      await change(provider, (accounts) => [...accounts.filter((one) => one.accountId !== saved.accountId), saved]);
    },
    async remove(provider, { accountId, revoke }) {
      const going = (await of(provider)).filter((one) => accountId === undefined || one.accountId === accountId);
      for (const one of going) unreachable.delete(idOf(provider, one.accountId));
      await change(provider, (accounts) => accounts.filter((one) => !going.some((gone) => gone.accountId === one.accountId)));
      if (!revoke) return { count: going.length, isRevoked: false };
      const results = await Promise.all(
        going.map(async (one) => {
          const [accessToken, refreshToken] = await Promise.all([
            store.unseal(one.accessToken),
            one.refreshToken === undefined ? undefined : store.unseal(one.refreshToken),
          ]);
          return site.revoke(provider, { accessToken, refreshToken }, revoke.url);
        }),
      );
      return { count: going.length, isRevoked: results.length > 0 && results.every(Boolean) };
    },
    async token(provider, accountId) {
      const account = (await of(provider)).find((one) => accountId === undefined || one.accountId === accountId);
      if (!account) throw makeError('NEEDS_SIGN_IN', { provider, why: accountId === undefined ? 'no account is connected' : 'this account is not connected' });
      if (isFresh(account)) return opened(provider, account);
      const id = idOf(provider, account.accountId);
      const running = refreshing.get(id) ?? refresh(provider, account.accountId).finally(() => refreshing.delete(id));
      refreshing.set(id, running);
      return running;
    },
    async failed(provider, accountId, token) {
      const account = (await of(provider)).find((one) => one.accountId === accountId);
      if (account && (await store.unseal(account.accessToken)) === token) await markUnhealthy(provider, account);
    },
  };
}

function isFresh({ expiresAt }: SavedAccount): boolean {
  return expiresAt === undefined || Date.parse(expiresAt) - Date.now() > marginMs;
}

/** Returns whether two accounts have the same stored token. Encrypting a token again yields another text, so a refreshed or reconnected account differs. */
function isSame(one: SavedAccount, other: SavedAccount): boolean {
  return one.accountId === other.accountId && one.accessToken === other.accessToken;
}

export function isUnreachable(fault: unknown): boolean {
  return codeOf(fault) === 'INTEGRATIONS_ERR_UNREACHABLE';
}

function needsSignIn(fault: unknown): boolean {
  return codeOf(fault) === 'INTEGRATIONS_ERR_NEEDS_SIGN_IN';
}

function idOf(provider: string, accountId: string): string {
  return `${provider} ${accountId}`;
}

function isSaved(value: unknown): value is Saved {
  return Array.isArray(value) && value.every(isAccount);
}

function isAccount(value: unknown): value is SavedAccount {
  const { accountId, accessToken, scopes } = (value ?? {}) as Partial<SavedAccount>;
  return typeof accountId === 'string' && typeof accessToken === 'string' && Array.isArray(scopes);
}
