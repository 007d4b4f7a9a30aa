// Remembers which content of each file a chat has seen last, so that a whole-file write cannot discard what it never saw.
import { sha256 } from 'agent-harness/lib/hash';
import { BoundedMap } from 'agent-harness/lib/values';

export interface SeenFiles {
  /** The chat read or wrote this content; left out where it saw a part of a large file. @param path absolute, real */
  note(chatId: string, path: string, content: Uint8Array): void;
  /** Whether the chat has seen the file, and with another content. */
  isStale(chatId: string, path: string, content: Uint8Array): boolean;
}

/** Files over all chats; the ones that were seen first are forgotten first. */
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
