// Marks each chat that has an unfinished change or undo with an empty marker file, so that a start after a crash checks only these chats.
import { join } from 'node:path';
import type { StorageAtOnce } from 'agent-harness/plugins/storage';

export interface OpenChangeMarkers {
  set(chatId: string): void;
  /** Contract: never throws. */
  clear(chatId: string): void;
  list(): readonly string[];
}

/**
 * Creates the store of marker files. They are not flushed, so they survive the end of the process. After a power failure, the next undo in a chat without a
 * marker file checks that chat.
 */
export function createOpenChangeMarkers(home: string, files: StorageAtOnce): OpenChangeMarkers {
  const folder = join(home, 'unsettled');
  return {
    set: (chatId) => files.write(join(folder, chatId), '', { isFlushed: false }),
    clear(chatId) {
      try {
        files.remove(join(folder, chatId));
      } catch {
        // a leftover marker only causes an unnecessary check at the next start
      }
    },
    list: () => files.list(folder),
  };
}
