// `meta.json` of every chat: read when asked for, kept in memory, written at each change or soon after.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Storage } from 'agent-harness/plugins/storage';
import { readFacts } from './chat-change.ts';
import type { ChatMeta } from './contract.ts';
import { createSlices } from './let-others-run.ts';

/** What the file holds; `busy` is known only to the running process. */
export type SavedMeta = Omit<ChatMeta, 'busy'> & {
  /** Whether a person or a first message named it. */
  readonly isTitled?: boolean;
};

const readsAtOnce = 32;
/** How long a change that can be made again from the journal may wait for the disk. */
const soonMs = 250;

export interface MetaCache {
  get(chatId: string): Promise<SavedMeta | undefined>;
  /** Newest first. */
  all(): Promise<{ metas: SavedMeta[]; orphanIds: string[] }>;
  save(meta: SavedMeta): Promise<void>;
  /** `undefined` where the chat is gone. */
  change(chatId: string, change: (meta: SavedMeta) => SavedMeta): Promise<SavedMeta | undefined>;
  /** Like `change`, but resolves before it is on the disk: beside a turn that wants the disk, too, writing it would hold that up. */
  changeSoon(chatId: string, change: (meta: SavedMeta) => SavedMeta): Promise<SavedMeta | undefined>;
  /** From now on the chat is not there; resolves when nothing is written to it any more. Answers `false` where somebody else was faster. */
  forget(chatId: string): Promise<boolean>;
  /** It is there again. */
  recall(chatId: string): void;
  /** Writes what waits, and resolves when nothing is being written. From now on nothing waits. */
  settled(): Promise<void>;
}

/** @param chatsFolder absolute path of `chats/` */
export function createMetaCache(storage: Storage, chatsFolder: string, onFault: (chatId: string, fault: unknown) => void): MetaCache {
  const metas = new Map<string, SavedMeta>();
  const reading = new Map<string, Promise<SavedMeta | undefined>>();
  const writing = new Map<string, Promise<void>>();
  const gone = new Set<string>();
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
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
    waiting.delete(chatId);
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

  function writeWaiting(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const chatId of [...waiting]) {
      const meta = metas.get(chatId);
      if (meta) save(meta).catch((fault: unknown) => onFault(chatId, fault));
    }
  }

  async function apply(chatId: string, change: (meta: SavedMeta) => SavedMeta): Promise<SavedMeta | undefined> {
    await get(chatId);
    const current = metas.get(chatId);
    if (!current) return undefined;
    const changed = change(current);
    // At once, so that of two changes neither undoes the other.
    metas.set(chatId, changed);
    return changed;
  }

  return {
    get,
    save,
    async all() {
      const names = (await readFolder(chatsFolder)).filter((name) => storage.isId('chat', name));
      const found: SavedMeta[] = [];
      const orphanIds: string[] = [];
      const pause = createSlices();
      for (let start = 0; start < names.length; start += readsAtOnce) {
        const some = names.slice(start, start + readsAtOnce);
        const read = await Promise.all(some.map(get));
        await pause();
        read.forEach((meta, index) => (meta ? found.push(meta) : orphanIds.push(some[index] as string)));
      }
      return { metas: found.sort((left, right) => (left.updatedAt < right.updatedAt ? 1 : -1)), orphanIds };
    },
    async change(chatId, change) {
      const changed = await apply(chatId, change);
      if (changed) await save(changed);
      return changed;
    },
    async changeSoon(chatId, change) {
      const changed = await apply(chatId, change);
      if (!changed) return undefined;
      waiting.add(chatId);
      if (isClosed) writeWaiting();
      else timer ??= setTimeout(writeWaiting, soonMs);
      return changed;
    },
    async forget(chatId) {
      if (gone.has(chatId)) return false;
      gone.add(chatId);
      // It may be restored, with what was not on the disk yet.
      const unwritten = waiting.delete(chatId) ? metas.get(chatId) : undefined;
      if (unwritten) save(unwritten).catch((fault: unknown) => onFault(chatId, fault));
      metas.delete(chatId);
      await writing.get(chatId)?.catch(() => undefined);
      return true;
    },
    recall: (chatId) => void gone.delete(chatId),
    async settled() {
      isClosed = true;
      writeWaiting();
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

/** `undefined`: no chat can be made of it. */
export function checkMeta(chatId: string, value: unknown): SavedMeta | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const meta = value as Partial<SavedMeta>;
  const texts = [meta.title, meta.workspaceMode, meta.workspaceRoot, meta.workspaceFingerprint, meta.createdAt, meta.updatedAt];
  if (meta.chatId !== chatId || !texts.every((text) => typeof text === 'string')) return undefined;
  const { model, ...rest } = meta as SavedMeta;
  return {
    ...rest,
    ...readFacts(meta as Record<string, unknown>),
    turns: typeof meta.turns === 'number' ? meta.turns : 0,
    ...(typeof model === 'string' ? { model } : {}),
  };
}
