// Stores the id of the active chat in `active_chat.json`. Reads the file once, and writes a change before announcing it.
import { join } from 'node:path';
import type { Emitter } from 'agent-harness/kernel';
import { createSerialQueue } from '#lib/async';
import type { Storage } from 'agent-harness/plugins/storage';
import type { Repair } from '../contract.ts';
import type { MetaCache } from './meta-cache.ts';

export interface ActiveChat {
  /** Id of the active chat; `undefined` before {@link ActiveChat.read}, or if no chat exists. */
  readonly id: string | undefined;
  /** Reads the file once; if the active chat is missing, uses the most recently used chat. */
  read(): Promise<void>;
  /** Changes the active chat. @param beforeNotify runs after the file is written, before the change is announced */
  set(chatId: string, beforeNotify?: () => void): Promise<void>;
  /** Replaces a deleted chat with the most recently used one, if the deleted chat is still the active one. */
  replace(goneId: string): Promise<void>;
  /** Corrects a file that names a missing chat, so that it names the most recently used chat. */
  repair(): Promise<Repair[]>;
}

export interface ActiveChatParts {
  readonly home: string;
  readonly storage: Storage;
  readonly emitter: Emitter;
  readonly metas: Pick<MetaCache, 'get' | 'all'>;
}

export function createActiveChat({ home, storage, emitter, metas }: ActiveChatParts): ActiveChat {
  const path = join(home, 'active_chat.json');
  let id: string | undefined;
  let reading: Promise<void> | undefined;
  /** Serializes the changes: the last request wins. */
  const queue = createSerialQueue();

  const isPointer = (value: unknown): value is { chatId: string } => storage.isId('chat', (value as { chatId?: unknown } | null)?.chatId);
  const usedLast = async (): Promise<string | undefined> => (await metas.all()).metas[0]?.chatId;
  const write = (chatId: string | undefined): Promise<void> => (chatId === undefined ? storage.remove(path) : storage.writeJson(path, { chatId }));

  function read(): Promise<void> {
    return (reading ??= (async () => {
      const saved = await storage.readJson(path, isPointer);
      if (id !== undefined) return;
      if (saved && (await metas.get(saved.chatId))) id = saved.chatId;
      else id ??= await usedLast();
    })().catch((fault: unknown) => {
      reading = undefined;
      throw fault;
    }));
  }

  return {
    get id() {
      return id;
    },
    read,
    set: (chatId, beforeNotify) =>
      queue.run(async () => {
        await read();
        if (id === chatId) return beforeNotify?.();
        await write(chatId);
        id = chatId;
        beforeNotify?.();
        emitter.emit('chat_switched', { chatId, activeChatId: chatId });
      }),
    replace: (goneId) =>
      queue.run(async () => {
        if (id !== goneId) return;
        id = await usedLast();
        // If the write fails, the old file has the same effect, because the chat that it names is missing.
        await write(id).catch(() => undefined);
        if (id !== undefined) emitter.emit('chat_switched', { chatId: id, activeChatId: id });
      }),
    async repair() {
      const saved = await storage.readJson(path, isPointer);
      const newest = await usedLast();
      if (saved ? await metas.get(saved.chatId) : newest === undefined) return [];
      await write(newest);
      id = newest;
      reading = Promise.resolve();
      return [
        {
          path,
          text:
            newest === undefined
              ? 'There is no chat, so the file was removed.'
              : `The file named a missing chat and now names ${newest}, the most recently used chat.`,
        },
      ];
    },
  };
}
