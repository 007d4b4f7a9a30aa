// Texts that nobody has asked about yet: kept as they are, so that noting costs nothing, and bounded, since the journal has them, too.
import { BoundedMap } from 'agent-harness/lib/values';
import type { TextOrigin } from './contract.ts';

export interface NotedText {
  readonly text: string;
  readonly origin: TextOrigin;
}

export interface WaitingTexts {
  note(chatId: string, text: string, origin: TextOrigin): void;
  /** Those of the chat, oldest first; from now on none wait. `isWhole`: none were dropped. */
  take(chatId: string): { readonly texts: readonly NotedText[]; readonly isWhole: boolean };
  forget(chatId: string): void;
}

/** Signs of one chat that wait, and chats. */
const most = { signs: 1_000_000, chats: 30 };

export function createWaitingTexts(): WaitingTexts {
  /** Chats whose waiting texts were dropped; their journals are read again. */
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
