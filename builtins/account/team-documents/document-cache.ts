// Caches an organisation's signed policy or fleet configuration on disk, in two copies as protection against one damaged file.
import { join } from 'node:path';
import { sha256 } from '#lib/hash';
import { isRecord } from '#lib/values';
import type { Product, Storage } from 'agent-harness/plugins/storage';

export interface DocumentCache {
  /** Returns the saved signed documents; an empty string stands for an unreadable file. */
  read(): Promise<readonly string[]>;
  /** Saves a signed document. Rejects if it cannot be written. */
  write(document: string): Promise<void>;
}

interface CacheFile {
  readonly document: string;
}

/** Creates the cache of one kind of document. @param owner account and organisation; each has its own files */
export function createDocumentCache(services: { readonly storage: Storage; readonly product: Product }, kind: string, owner: string): DocumentCache {
  const { storage, product } = services;
  const base = join(product.home, 'team', `${kind}-${sha256(owner).slice(0, 16)}`);
  const paths = [`${base}.json`, `${base}.copy.json`];
  return {
    async read() {
      const found = await Promise.all(
        paths.map(async (path) => {
          if (!(await storage.has(path))) return undefined;
          const file = await storage.readJson(path, isCacheFile);
          return file?.document ?? '';
        }),
      );
      return found.filter((one) => one !== undefined);
    },
    async write(document) {
      // Sequential writes, so that a crash damages at most one copy.
      for (const path of paths) await storage.writeJson(path, { document } satisfies CacheFile);
    },
  };
}

function isCacheFile(value: unknown): value is CacheFile {
  return isRecord(value) && typeof value['document'] === 'string';
}
