// Stores the last content of each file that a chat has seen, so that a whole-file write cannot discard unseen changes.
import { sha256 } from '#lib/hash';
import { BoundedMap } from '#lib/values';

export interface SeenFiles {
  /** Notes that the chat read or wrote this content; not called if it saw only a part of a large file. @param path absolute, real */
  note(chatId: string, path: string, content: Uint8Array): void;
  /** Returns whether the chat has seen the file with a different content. */
  isStale(chatId: string, path: string, content: Uint8Array): boolean;
}

/** Maximum number of files for all chats; the oldest entries are dropped first. */
const mostFiles = 20_000;

export function createSeenFiles(): SeenFiles {
  const seen = new BoundedMap<string, string>(mostFiles);
  const keyOf = (chatId: string, path: string): string => `${chatId} ${path}`;
  return {
    note: (chatId, path, content) => void seen.set(keyOf(chatId, path), sha256(content)),
    isStale(chatId, path, content) {
      const known = seen.get(keyOf(chatId, path));
      return known !== undefined && known !== sha256(content);
    },
  };
}
