// Stores the two files of a sign-in in the home folder: the license token and the account.
import { join } from 'node:path';
import type { Storage } from 'agent-harness/plugins/storage';
import type { Account } from './contract.ts';
import { isTier } from './tiers.ts';

export interface LicenseFiles {
  /** Returns the license token; `undefined` if the user is not signed in. */
  readToken(): Promise<string | undefined>;
  readAccount(): Promise<Account | undefined>;
  save(token: string, account: Account): Promise<void>;
  clear(): Promise<void>;
}

export function createLicenseFiles(services: { readonly storage: Storage; readonly product: { readonly home: string } }): LicenseFiles {
  const tokenPath = (): string => join(services.product.home, 'license.json');
  const accountPath = (): string => join(services.product.home, 'account.json');

  return {
    async readToken() {
      return (await services.storage.readJson(tokenPath(), isToken))?.token;
    },
    readAccount: () => services.storage.readJson(accountPath(), isAccount),
    async save(token, account) {
      await services.storage.writeJson(accountPath(), account, { mode: 0o600 });
      await services.storage.writeJson(tokenPath(), { token }, { mode: 0o600 });
    },
    async clear() {
      await services.storage.remove(tokenPath());
      await services.storage.remove(accountPath());
    },
  };
}

function isToken(saved: unknown): saved is { readonly token: string } {
  return typeof (saved as { readonly token?: unknown } | null)?.token === 'string';
}

function isAccount(saved: unknown): saved is Account {
  const { source, email, connectedAt, tier } = (saved ?? {}) as Partial<Account>;
  const isSource = source === 'browser' || source === 'environment';
  return isSource && typeof email === 'string' && typeof connectedAt === 'string' && isTier(tier);
}
