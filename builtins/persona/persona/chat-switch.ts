// Stores which chats have the persona switched off, as a marker file in the chat's folder.
import { join } from 'node:path';
import { writeWithChat } from '#lib/chat-files';
import { BoundedMap, isRecord } from '#lib/values';
import type { PersonaParts } from './persona-parts.ts';

export interface ChatSwitch {
  isOff(chatId: string): Promise<boolean>;
  /** Resolves when the marker is on disk. */
  set(chatId: string, off: boolean): Promise<void>;
  /** Copies the state to a copy of a chat. */
  copy(from: string, to: string): Promise<void>;
  /** Handles a removed chat folder. */
  drop(chatId: string): void;
}

/** Maximum number of cached chats. */
const mostChats = 500;
const isMark = (value: unknown): value is { readonly off: true } => isRecord(value) && value['off'] === true;

export function createChatSwitch({ chats, storage }: Pick<PersonaParts['services'], 'chats' | 'storage'>): ChatSwitch {
  const known = new BoundedMap<string, boolean>(mostChats);
  const pathOf = (chatId: string): string => join(chats.folder(chatId), 'persona.json');

  async function isOff(chatId: string): Promise<boolean> {
    const seen = known.get(chatId);
    if (seen !== undefined) return seen;
    const found = (await storage.readJson(pathOf(chatId), isMark)) !== undefined;
    if (!known.has(chatId)) known.set(chatId, found);
    return known.get(chatId) ?? found;
  }

  async function set(chatId: string, off: boolean): Promise<void> {
    await writeWithChat(chats, chatId, () => (off ? storage.writeJson(pathOf(chatId), { off: true }) : storage.remove(pathOf(chatId))));
    known.set(chatId, off);
  }

  return {
    isOff,
    set,
    copy: async (from, to) => ((await isOff(from)) ? set(to, true) : undefined),
    drop: (chatId) => void known.delete(chatId),
  };
}
