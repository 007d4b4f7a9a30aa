// Creates an empty marker file for each chat with an unfinished turn. After a crash, the next start checks only those chats.
import { join } from 'node:path';
import type { StorageAtOnce } from 'agent-harness/plugins/storage';

export interface Markers {
  set(chatId: string): void;
  /** Removes the marker file of a chat. Never throws. */
  clear(chatId: string): void;
  list(): Promise<string[]>;
}

/** Marker files are not flushed: they survive the end of the process. After a power failure, `doctor` finds open turns in the journals. */
export function createMarkers(home: string, files: StorageAtOnce): Markers {
  const folder = join(home, 'running');
  return {
    set: (chatId) => files.write(join(folder, chatId), '', { isFlushed: false }),
    clear(chatId) {
      try {
        files.remove(join(folder, chatId));
      } catch {
        // a leftover marker only costs a check of its chat at the next start
      }
    },
    list: async () => files.list(folder),
  };
}
