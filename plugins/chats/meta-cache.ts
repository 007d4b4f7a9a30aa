// `meta.json` of every chat: read when asked for, kept in memory, written at each change.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Storage } from 'agent-harness/plugins/storage';
import type { ChatMeta } from './contract.ts';

/** What the file holds; `busy` is known only to the running process. */
export type SavedMeta = Omit<ChatMeta, 'busy'> & {
  /** Whether a person or a first message named it. */
  readonly isTitled?: boolean;
};

const readsAtOnce = 32;

export interface MetaCache {
  get(chatId: string): Promise<SavedMeta | undefined>;
  /** Newest first. */
  all(): Promise<{ metas: SavedMeta[]; orphanIds: string[] }>;
  save(meta: SavedMeta): Promise<void>;
  /** `undefined` where the chat is gone. */
  change(chatId: string, change: (meta: SavedMeta) => SavedMeta): Promise<SavedMeta | undefined>;
  /** From now on the chat is not there; resolves when nothing is written to it any more. Answers `false` where somebody else was faster. */
  forget(chatId: string): Promise<boolean>;
  /** Resolves when nothing is being written. */
  settled(): Promise<void>;
}

/** @param chatsFolder absolute path of `chats/` */
export function createMetaCache(storage: Storage, chatsFolder: string): MetaCache {
  const metas = new Map<string, SavedMeta>();
  const reading = new Map<string, Promise<SavedMeta | undefined>>();
  const writing = new Map<string, Promise<void>>();
  const gone = new Set<string>();
  const pathOf = (chatId: string): string => join(chatsFolder, chatId, 'meta.json');

  async function read(chatId: string): Promise<SavedMeta | undefined> {
    const meta = checkMeta(chatId, await storage.readJson<unknown>(pathOf(chatId)));
    if (meta && !metas.has(chatId) && !gone.has(chatId)) metas.set(chatId, meta);
    return metas.get(chatId);
  }

  async function get(chatId: string): Promise<SavedMeta | undefined> {
    if (!storage.isId('chat', chatId)) return undefined;
    const known = metas.get(chatId);
    if (known) return known;
    let work = reading.get(chatId);
    if (!work) {
      work = read(chatId).finally(() => reading.delete(chatId));
      reading.set(chatId, work);
    }
    return work;
  }

  async function save(meta: SavedMeta): Promise<void> {
    const { chatId } = meta;
    metas.set(chatId, meta);
    // The storage writes one after another, so the last write of a path is the one to wait for.
    const work = storage.writeJson(pathOf(chatId), meta);
    writing.set(chatId, work);
    try {
      await work;
    } finally {
      if (writing.get(chatId) === work) writing.delete(chatId);
    }
  }

  return {
    get,
    save,
    async all() {
      const names = (await readFolder(chatsFolder)).filter((name) => storage.isId('chat', name));
      const found: SavedMeta[] = [];
      const orphanIds: string[] = [];
      for (let start = 0; start < names.length; start += readsAtOnce) {
        const some = names.slice(start, start + readsAtOnce);
        const read = await Promise.all(some.map(get));
        read.forEach((meta, index) => (meta ? found.push(meta) : orphanIds.push(some[index] as string)));
      }
      return { metas: found.sort((left, right) => (left.updatedAt < right.updatedAt ? 1 : -1)), orphanIds };
    },
    async change(chatId, change) {
      if (!(await get(chatId))) return undefined;
      const current = metas.get(chatId);
      if (!current) return undefined;
      const changed = change(current);
      await save(changed);
      return changed;
    },
    async forget(chatId) {
      if (gone.has(chatId)) return false;
      gone.add(chatId);
      metas.delete(chatId);
      await writing.get(chatId)?.catch(() => undefined);
      return true;
    },
    async settled() {
      await Promise.allSettled(writing.values());
    },
  };
}

async function readFolder(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw fault;
  }
}

function checkMeta(chatId: string, value: unknown): SavedMeta | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const meta = value as Partial<SavedMeta>;
  const texts = [meta.title, meta.workspaceMode, meta.workspaceRoot, meta.workspaceFingerprint, meta.createdAt, meta.updatedAt];
  if (meta.chatId !== chatId || !texts.every((text) => typeof text === 'string')) return undefined;
  return { ...(meta as SavedMeta), turns: typeof meta.turns === 'number' ? meta.turns : 0 };
}
