// Stores file contents before and after changes, by hash.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isThere } from '#lib/files';
import type { Storage } from 'agent-harness/plugins/storage';

export interface KeptObjects {
  /** Stores a content. Resolves when it is on disk; content that is not flushed survives only the end of this process. */
  keep(chatId: string, hash: string, content: Uint8Array, options?: { readonly isFlushed: false }): Promise<void>;
  /** Returns a stored content; `undefined` if it is missing. */
  read(chatId: string, hash: string): Promise<Buffer | undefined>;
  path(chatId: string, hash: string): string;
}

export function createObjects(folder: (chatId: string) => string, storage: Pick<Storage, 'writeFile'>): KeptObjects {
  const path = (chatId: string, hash: string): string => join(folder(chatId), 'objects', hash.slice(0, 2), hash);
  return {
    path,
    read: (chatId, hash) => readFile(path(chatId, hash)).catch(() => undefined), // a content that is missing cannot be compared
    async keep(chatId, hash, content, options) {
      if (!(await isThere(path(chatId, hash)))) await storage.writeFile(path(chatId, hash), content, options);
    },
  };
}
