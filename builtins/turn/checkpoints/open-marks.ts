// Marks chats with an unfinished change or undo by one empty file each, so that a start after a crash checks only those.
import { join } from 'node:path';
import type { StorageAtOnce } from 'agent-harness/plugins/storage';

export interface OpenMarks {
  set(chatId: string): void;
  /** Contract: never throws. */
  clear(chatId: string): void;
  list(): readonly string[];
}

/** Not fsynced: they survive the death of the process, and after a power cut the next undo in the chat checks by itself. */
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
