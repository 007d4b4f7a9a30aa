// Stores the last content of each file that a chat has read, so that a whole-file write cannot discard changes that the chat has not seen.
import { sha256 } from '#lib/hash';
import { BoundedMap } from '#lib/values';

export interface SeenFiles {
  /** Records that the chat read or wrote this content; not called if it read only a part of a large file. @param path absolute real path */
  note(chatId: string, path: string, content: Uint8Array): void;
  /** Returns whether the chat last saw the file with a different content. */
  isStale(chatId: string, path: string, content: Uint8Array): boolean;
}

/** Maximum number of files of all chats; the oldest entries are dropped first. */
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
