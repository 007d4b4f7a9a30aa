// Marks each chat that has an unfinished change or undo by an empty file, so that a start after a crash checks only those chats.
import { join } from 'node:path';
import type { StorageAtOnce } from 'agent-harness/plugins/storage';

export interface OpenMarks {
  set(chatId: string): void;
  /** Contract: never throws. */
  clear(chatId: string): void;
  list(): readonly string[];
}

/** Marker files are not fsynced: they survive the death of the process; after a power cut, the next undo in a chat checks the chat without a marker. */
export function createOpenMarks(home: string, files: StorageAtOnce): OpenMarks {
  const folder = join(home, 'unsettled');
  return {
    set: (chatId) => files.write(join(folder, chatId), '', { isFlushed: false }),
    clear(chatId) {
      try {
        files.remove(join(folder, chatId));
      } catch {
        // a leftover marker only costs a check of its chat at the next start
      }
    },
    list: () => files.list(folder),
  };
}
