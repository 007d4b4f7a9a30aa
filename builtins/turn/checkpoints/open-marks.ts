// Which chats have a change or an undo that is not over: one empty file each, so that a start after a crash looks at those only.
import { join } from 'node:path';
import type { StorageAtOnce } from 'agent-harness/plugins/storage';

export interface OpenMarks {
  set(chatId: string): void;
  /** Contract: never throws. */
  clear(chatId: string): void;
  list(): readonly string[];
}

/** Not flushed: the death of the process keeps them, and after a power cut the next undo in the chat looks by itself. */
export function createOpenMarks(home: string, files: StorageAtOnce): OpenMarks {
  const folder = join(home, 'unsettled');
  return {
    set: (chatId) => files.write(join(folder, chatId), '', { isFlushed: false }),
    clear(chatId) {
      try {
        files.remove(join(folder, chatId));
      } catch {
        // one that stays costs a look at its chat at the next start
      }
    },
    list: () => files.list(folder),
  };
}
