// Caches `meta.json` of each chat: reads it on demand, and writes it on each change or soon afterwards.
import { join } from 'node:path';
import { createSerialQueues } from '#lib/async';
import { createSlices } from '#lib/event-loop';
import type { Storage } from 'agent-harness/plugins/storage';
import { readFacts, readLasting, readOwnModel } from './chat-change.ts';
import type { SavedMeta } from './saved-meta.ts';

const readsAtOnce = 32;
/** Maximum delay, in milliseconds, for writing a change that the journal can restore. */
const soonMs = 2_000;

export interface MetaCache {
  get(chatId: string): Promise<SavedMeta | undefined>;
  /** Returns all metas, newest first. */
  all(): Promise<{ metas: SavedMeta[]; orphanIds: string[] }>;
  /** Writes the meta. If that rejects, the cache is also unchanged. */
  save(meta: SavedMeta): Promise<void>;
  /** Saves a meta derived from the current one. Returns `undefined` if the chat is missing. */
  change(chatId: string, change: (meta: SavedMeta) => SavedMeta): Promise<SavedMeta | undefined>;
  /** Works like `change`, but resolves before the write. Waiting for it would delay a turn, which also needs the disk. */
  changeSoon(chatId: string, change: (meta: SavedMeta) => SavedMeta): Promise<SavedMeta | undefined>;
  /** Removes the chat from the cache. Resolves when its pending writes are done, with `false` if a concurrent call removed the chat first. */
  forget(chatId: string): Promise<boolean>;
  /** Adds a restored chat to the cache. */
  recall(chatId: string): void;
  /** Writes pending changes, and resolves when no write is in progress. Changes made afterwards are written immediately. */
  settled(): Promise<void>;
}

/** Creates the cache. @param chatsFolder absolute path of `chats/` */
export function createMetaCache(storage: Storage, chatsFolder: string, onFault: (chatId: string, fault: unknown) => void): MetaCache {
  const metas = new Map<string, SavedMeta>();
  const reading = new Map<string, Promise<SavedMeta | undefined>>();
  /** The writes of a chat run one after the other, because each builds on the previous one. */
  const writing = createSerialQueues<string>();
  /** Changes that `changeSoon` made while `change` was writing. */
  const meanwhile = new Map<string, ((meta: SavedMeta) => SavedMeta)[]>();
  const gone = new Set<string>();
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const pathOf = (chatId: string): string => join(chatsFolder, chatId, 'meta.json');

  async function read(chatId: string): Promise<SavedMeta | undefined> {
    const meta = await readMeta(storage, pathOf(chatId), chatId);
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

  async function write(meta: SavedMeta): Promise<void> {
    const { chatId } = meta;
    const wasWaiting = waiting.delete(chatId);
    try {
      await storage.writeJson(pathOf(chatId), meta);
    } catch (fault) {
      if (wasWaiting) waiting.add(chatId);
      throw fault;
    }
  }

  /** Stores a meta. The file is written before the cache is updated, because a rejected change must not be visible. */
  async function keep(meta: SavedMeta): Promise<void> {
    const { chatId } = meta;
    const later: ((meta: SavedMeta) => SavedMeta)[] = [];
    meanwhile.set(chatId, later);
    try {
      await write(meta);
      if (!gone.has(chatId))
        metas.set(
          chatId,
          later.reduce((known, change) => change(known), meta),
        );
    } finally {
      meanwhile.delete(chatId);
    }
  }

  async function writeKnown(chatId: string): Promise<void> {
    const meta = metas.get(chatId);
    if (meta) await write(meta);
  }

  function writeWaiting(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const chatId of waiting) writing.run(chatId, () => writeKnown(chatId)).catch((fault: unknown) => onFault(chatId, fault));
  }

  return {
    get,
    save: (meta) => writing.run(meta.chatId, () => keep(meta)),
    async all() {
      const names = (await storage.list(chatsFolder)).filter((name) => storage.isId('chat', name));
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
      await get(chatId);
      return writing.run(chatId, async () => {
        const known = metas.get(chatId);
        if (!known) return undefined;
        await keep(change(known));
        return metas.get(chatId);
      });
    },
    async changeSoon(chatId, change) {
      await get(chatId);
      const known = metas.get(chatId);
      if (!known) return undefined;
      const changed = change(known);
      // No `await` may precede this line, because concurrent changes would overwrite each other.
      metas.set(chatId, changed);
      meanwhile.get(chatId)?.push(change);
      waiting.add(chatId);
      if (isClosed) writeWaiting();
      else timer ??= setTimeout(writeWaiting, soonMs);
      return changed;
    },
    async forget(chatId) {
      if (gone.has(chatId)) return false;
      gone.add(chatId);
      // The chat may be restored later, with its unwritten changes.
      const unwritten = waiting.has(chatId) ? metas.get(chatId) : undefined;
      if (unwritten) writing.run(chatId, () => write(unwritten)).catch((fault: unknown) => onFault(chatId, fault));
      metas.delete(chatId);
      await writing.idle(chatId);
      return true;
    },
    recall: (chatId) => void gone.delete(chatId),
    async settled() {
      isClosed = true;
      writeWaiting();
      await writing.idle();
    },
  };
}

/** Reads a meta file; returns `undefined` if its data is not sufficient for a chat. */
export async function readMeta(storage: Pick<Storage, 'readJson'>, path: string, chatId: string): Promise<SavedMeta | undefined> {
  const meta = await storage.readJson(path, (value): value is SavedMeta => isMeta(chatId, value));
  return meta && withDefaults(meta);
}

function isMeta(chatId: string, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const meta = value as Partial<SavedMeta>;
  const texts = [meta.title, meta.workspaceMode, meta.workspaceRoot, meta.workspaceFingerprint, meta.createdAt, meta.updatedAt];
  return meta.chatId === chatId && texts.every((text) => typeof text === 'string');
}

/** Adds missing fields. The number of turns is later read from the journal. A chat without its own model or effort uses the settings. */
function withDefaults(meta: SavedMeta): SavedMeta {
  const { model, effort, imported: _, temporary: __, ...rest } = meta;
  return {
    ...rest,
    ...readFacts(meta),
    ...readLasting(meta),
    turns: typeof meta.turns === 'number' ? meta.turns : 0,
    ...readOwnModel({ model, effort }),
  };
}
