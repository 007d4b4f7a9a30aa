// Stores file contents before and after changes, by hash.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isThere } from '#lib/files';
import type { Storage } from 'agent-harness/plugins/storage';

export interface KeptObjects {
  /** Stores content. Resolves when the content is on disk. Content that is not flushed survives the end of this process, but not a power failure. */
  keep(chatId: string, hash: string, content: Uint8Array, options?: { readonly isFlushed: false }): Promise<void>;
  /** Returns stored content; `undefined` if it is missing. */
  read(chatId: string, hash: string): Promise<Buffer | undefined>;
  path(chatId: string, hash: string): string;
}

export function createObjects(folder: (chatId: string) => string, storage: Pick<Storage, 'writeFile'>): KeptObjects {
  const path = (chatId: string, hash: string): string => join(folder(chatId), 'objects', hash.slice(0, 2), hash);
  return {
    path,
    read: (chatId, hash) => readFile(path(chatId, hash)).catch(() => undefined), // missing content cannot be compared
    async keep(chatId, hash, content, options) {
      if (!(await isThere(path(chatId, hash)))) await storage.writeFile(path(chatId, hash), content, options);
    },
  };
}
