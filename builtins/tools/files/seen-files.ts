// Stores the last content that a chat has seen of each file, so that writing a whole file cannot discard changes that the chat has not seen.
import { sha256 } from '#lib/hash';
import { BoundedMap } from '#lib/values';

export interface SeenFiles {
  /** Records that the chat has read or written this content; not called if only part of a large file was read. @param path absolute real path */
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
