// Buffers texts until the first search for origins, so that recording takes no time. The size of the buffer is limited, because the journal also contains the
// texts.
import { BoundedMap } from '#lib/values';
import type { TextOrigin } from './contract.ts';

export interface NotedText {
  readonly text: string;
  readonly origin: TextOrigin;
}

export interface WaitingTexts {
  note(chatId: string, text: string, origin: TextOrigin): void;
  /** Removes and returns the texts of the chat, oldest first. `isWhole`: whether no text was dropped. */
  take(chatId: string): { readonly texts: readonly NotedText[]; readonly isWhole: boolean };
  forget(chatId: string): void;
}

/** Limits: buffered characters per chat, and number of chats. */
const most = { signs: 1_000_000, chats: 30 };

export function createWaitingTexts(): WaitingTexts {
  /** Chats whose texts were dropped; the next search reads their journals again. */
  const dropped = new Set<string>();
  const waiting = new BoundedMap<string, { texts: NotedText[]; signs: number; isWhole: boolean }>(most.chats, (_, chatId) => dropped.add(chatId));
  return {
    note(chatId, text, origin) {
      if (text === '') return;
      const chat = waiting.get(chatId) ?? { texts: [], signs: 0, isWhole: !dropped.delete(chatId) };
      chat.texts.push({ text, origin });
      chat.signs += text.length;
      while (chat.signs > most.signs && chat.texts.length > 1) {
        chat.signs -= chat.texts.shift()?.text.length ?? 0;
        chat.isWhole = false;
      }
      waiting.set(chatId, chat);
    },
    take(chatId) {
      const found = waiting.get(chatId);
      waiting.delete(chatId);
      return found ?? { texts: [], isWhole: !dropped.delete(chatId) };
    },
    forget(chatId) {
      waiting.delete(chatId);
      dropped.delete(chatId);
    },
  };
}
