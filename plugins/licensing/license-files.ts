// The two files of a sign-in, in the home folder: the token and who it belongs to.
import { join } from 'node:path';
import type { Storage } from 'agent-harness/plugins/storage';
import type { Account } from './contract.ts';
import { isTier } from './tiers.ts';

export interface LicenseFiles {
  /** `undefined`: nobody signed in. A file without a token in it reads as the empty token, which is not valid. */
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
      const saved = await services.storage.readJson<{ token?: unknown } | null>(tokenPath());
      if (saved === undefined) return undefined;
      return typeof saved?.token === 'string' ? saved.token : '';
    },
    async readAccount() {
      const saved = await services.storage.readJson<Partial<Account> | null>(accountPath());
      return isAccount(saved) ? saved : undefined;
    },
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

function isAccount(saved: Partial<Account> | null | undefined): saved is Account {
  const isSource = saved?.source === 'browser' || saved?.source === 'environment';
  return isSource && typeof saved.email === 'string' && typeof saved.connectedAt === 'string' && isTier(saved.tier);
}
