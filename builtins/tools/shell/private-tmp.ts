// Manages the private /tmp folders of chats for sandboxed commands: kept between the commands of a chat, invisible to others.
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Absolute, real paths. */
export interface PrivateFolder {
  readonly tmp: string;
  /** An empty file that replaces hidden files: programs fail on unreadable ones. */
  readonly empty: string;
}

export interface PrivateTmp {
  /** Created on first use. */
  of(chatId: string): Promise<PrivateFolder>;
  /** Deletes that of one chat, or all. Contract: no command of it is running. */
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
