// Stores connection entries in `integrations.json`, by section and name.
import { join } from 'node:path';
import { isRecord } from '#lib/values';
import type { Product, Storage } from 'agent-harness/plugins/storage';
import type { ConnectionStore } from './contract.ts';
import { createSecretBox } from './secret-box.ts';

type Sections = Record<string, Record<string, unknown>>;

/** Matches valid names of entries and sections; excludes names like `__proto__`. */
const namePattern = /^[a-z][a-z0-9_-]{0,63}$/;

/** Creates the store. @param invalidName creates the error for an invalid name */
export function createConnectionStore(
  services: { readonly storage: Storage; readonly product: Product },
  invalidName: (name: string) => Error,
): ConnectionStore {
  const { storage, product } = services;
  const path = join(product.home, 'integrations.json');
  const box = createSecretBox(storage, join(product.home, 'integrations.key'));

  return {
    async entries<T>(section: string) {
      const sections = (await storage.readJson(path, isSections)) ?? {};
      return (Object.hasOwn(sections, section) ? sections[section] : {}) as Record<string, T>;
    },
    async update<T>(section: string, name: string, change: (current: T | undefined) => T | undefined) {
      for (const one of [section, name]) if (!namePattern.test(one)) throw invalidName(one);
      let written: T | undefined;
      const write = (sections: Sections = {}): Sections => {
        const { [name]: current, ...others } = sections[section] ?? {};
        written = change(current as T | undefined);
        return { ...sections, [section]: written === undefined ? others : { ...others, [name]: written } };
      };
      await storage.updateJson(path, write, { shape: isSections });
      return written;
    },
    async exclusively<T>(name: string, work: () => Promise<T>) {
      if (!namePattern.test(name)) throw invalidName(name);
      let done: { readonly value: T } | undefined;
      await storage.updateJson(join(product.home, 'connection-locks', `${name}.json`), async () => {
        done = { value: await work() };
        return { usedAt: new Date().toISOString() };
      });
      return (done as unknown as { readonly value: T }).value;
    },
    seal: (text) => box.seal(text),
    unseal: (sealed) => box.unseal(sealed),
  };
}

function isSections(value: unknown): value is Sections {
  return isRecord(value) && Object.values(value).every(isRecord);
}
