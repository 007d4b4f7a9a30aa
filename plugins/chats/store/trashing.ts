// What becomes of chats that are deleted: the trash, out of it again, or gone for good.
import type { Emitter, KernelError } from 'agent-harness/kernel';
import { createSerialQueues } from 'agent-harness/lib/async';
import type { JournalStore, Storage } from 'agent-harness/plugins/storage';
import type { Chats, ChatMeta } from '../contract.ts';
import type { RunningEventLog } from '../journal/event-log.ts';
import type { Journals } from '../journal/journals.ts';
import { beforeErase } from './before-erase.ts';
import type { MetaCache } from './meta-cache.ts';
import type { SavedMeta } from './saved-meta.ts';
import { eraseFromTrash, listTrash, moveToTrash, takeFromTrash } from './trash.ts';

export interface TrashingParts {
  readonly emitter: Emitter;
  readonly storage: Storage;
  readonly store: JournalStore;
  readonly log: RunningEventLog;
  readonly journals: Journals;
  readonly metas: MetaCache;
  readonly chatsFolder: string;
  /** Knows which chat is active. */
  readActive(): Promise<void>;
  /** Rejects with `not_found`. */
  find(chatId: string): Promise<SavedMeta>;
  /** Throws `not_found` for what is no id. */
  folder(chatId: string): string;
  /** Another one is active where this one was; answers which. */
  replaceActive(chatId: string): Promise<string | null>;
  shown(meta: SavedMeta): ChatMeta;
  notFound(what: string, id: unknown): KernelError;
}

export type Trashing = Pick<Chats, 'remove' | 'trash' | 'restore' | 'erase'> & {
  /** Erases the temporary chats that were made, or used last, before a time (ISO 8601). Never rejects. */
  eraseTemporary(before: { readonly madeBefore: string } | { readonly unusedSince: string }): Promise<void>;
};

export function createTrashing(parts: TrashingParts): Trashing {
  const { emitter, storage, store, log, journals, metas, chatsFolder, find, folder } = parts;
  /** What moves a chat's folder takes turns, by chat. */
  const filing = createSerialQueues<string>();

  async function remove(chatId: string): Promise<{ newActiveId: string | null }> {
    const { temporary } = await find(chatId);
    await parts.readActive();
    // First of all, so that nothing begins in it any more while what runs there is ended.
    if (!(await metas.forget(chatId))) throw parts.notFound('chat', chatId);
    await emitter.call('chat.close', [chatId]);
    const { metas: others } = await metas.all();
    log.flush();
    await journals.close(chatId);
    try {
      await filing.run(chatId, () => moveToTrash(chatId, chatsFolder, storage, new Set(others.map((meta) => meta.workspaceRoot))));
    } catch (fault) {
      metas.recall(chatId);
      throw storage.unwritable(fault, folder(chatId));
    }
    emitter.emit('chat_updated', { chatId, change: 'deleted' });
    if (temporary === true) await erase(chatId);
    return { newActiveId: await parts.replaceActive(chatId) };
  }

  async function erase(chatId: string): Promise<void> {
    folder(chatId);
    if (!(await filing.run(chatId, () => eraseFromTrash(chatId, chatsFolder, storage, beforeErase(emitter, store)))))
      throw parts.notFound('deleted chat', chatId);
    emitter.emit('chat_updated', { chatId, change: 'erased' });
  }

  return {
    remove,
    erase,
    trash: () => listTrash(chatsFolder, storage),
    async restore(chatId) {
      // Where its workspace stayed, what was said after the deletion may have made a journal.
      folder(chatId);
      log.flush();
      await journals.close(chatId);
      if (!(await filing.run(chatId, () => takeFromTrash(chatId, chatsFolder, storage)))) throw parts.notFound('deleted chat', chatId);
      metas.recall(chatId);
      const meta = await find(chatId);
      emitter.emit('chat_updated', { chatId, change: 'restored', title: meta.title });
      return parts.shown(meta);
    },
    async eraseTemporary(before) {
      const { metas: all } = await metas.all();
      const isOver = ({ createdAt, updatedAt }: SavedMeta): boolean =>
        'madeBefore' in before ? createdAt < before.madeBefore : updatedAt < before.unusedSince;
      for (const meta of all) if (meta.temporary === true && isOver(meta)) await remove(meta.chatId).catch(ignore);
    },
  };
}

/** It is tried again the next day, or with the next start. */
function ignore(): void {}
