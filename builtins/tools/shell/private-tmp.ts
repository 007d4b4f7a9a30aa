// Manages the private /tmp folders of chats for sandboxed commands. They persist between the commands of a chat, and other chats cannot see them.
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A private folder, with absolute real paths. */
export interface PrivateFolder {
  readonly tmp: string;
  /** Path of an empty file that is mounted over hidden files, because programs fail on unreadable files. */
  readonly empty: string;
}

export interface PrivateTmp {
  /** Returns the folder of a chat, which is created on first use. */
  of(chatId: string): Promise<PrivateFolder>;
  /** Deletes the folder of one chat or of all chats. Contract: none of their commands is running. */
  remove(chatId?: string): Promise<void>;
}

export function createPrivateTmp(productName: string): PrivateTmp {
  const folders = new Map<string, Promise<PrivateFolder>>();

  async function make(chatId: string): Promise<PrivateFolder> {
    try {
      const folder = await realpath(await mkdtemp(join(tmpdir(), `${productName}-commands-`)));
      const made = { tmp: join(folder, 'tmp'), empty: join(folder, 'empty') };
      await Promise.all([mkdir(made.tmp), writeFile(made.empty, '')]);
      return made;
    } catch (fault) {
      folders.delete(chatId);
      throw fault;
    }
  }

  return {
    of(chatId) {
      const folder = folders.get(chatId) ?? make(chatId);
      folders.set(chatId, folder);
      return folder;
    },
    async remove(chatId) {
      const chosen = [...folders].filter(([owner]) => chatId === undefined || owner === chatId);
      for (const [owner] of chosen) folders.delete(owner);
      await Promise.all(chosen.map(async ([, folder]) => rm(dirname((await folder).tmp), { recursive: true, force: true })));
    },
  };
}
