// Deletes chats: moves them to the trash, restores them, or erases them permanently.
import type { Emitter, KernelError } from 'agent-harness/kernel';
import { createSerialQueues } from '#lib/async';
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
  /** Loads the active chat. */
  readActive(): Promise<void>;
  /** Returns the meta of a chat. Rejects with `not_found`. */
  find(chatId: string): Promise<SavedMeta>;
  /** Returns the folder of a chat. Throws `not_found` for an invalid id. */
  folder(chatId: string): string;
  /** Replaces the active chat if it is this chat; returns the new active chat. */
  replaceActive(chatId: string): Promise<string | null>;
  shown(meta: SavedMeta): ChatMeta;
  notFound(what: string, id: unknown): KernelError;
}

export type Trashing = Pick<Chats, 'remove' | 'trash' | 'restore' | 'erase'> & {
  /** Erases temporary chats that were created or last used before a time (ISO 8601). Never rejects. */
  eraseTemporary(before: { readonly madeBefore: string } | { readonly unusedSince: string }): Promise<void>;
};

export function createTrashing(parts: TrashingParts): Trashing {
  const { emitter, storage, store, log, journals, metas, chatsFolder, find, folder } = parts;
  /** Moves of a chat's folder run one after the other. */
  const filing = createSerialQueues<string>();

  async function remove(chatId: string): Promise<{ newActiveId: string | null }> {
    const { temporary } = await find(chatId);
    await parts.readActive();
    // The chat leaves the cache before its running work is ended, because no new work may start in it.
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
      // If the workspace stayed, later events may have created a journal there.
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

/** Ignores an error, because the next purge or the next start retries. */
function ignore(): void {}
