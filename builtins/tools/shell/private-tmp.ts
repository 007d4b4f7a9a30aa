// The folders that are /tmp for the sandboxed commands of a chat: kept between its commands, seen by nobody else.
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Absolute, real paths. */
export interface PrivateFolder {
  readonly tmp: string;
  /** An empty file, to be shown in the place of others: where one cannot be read at all, programs give up. */
  readonly empty: string;
}

export interface PrivateTmp {
  /** Made on first use. */
  of(chatId: string): Promise<PrivateFolder>;
  /** Deletes that of one chat, or all. Call it when nothing runs in there any more. */
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
