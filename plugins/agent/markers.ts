// Which chats have a turn that is not over: one empty file each, so that a start after a crash looks at those only.
import { join } from 'node:path';
import type { StorageAtOnce } from 'agent-harness/plugins/storage';

export interface Markers {
  set(chatId: string): void;
  /** Contract: never throws. */
  clear(chatId: string): void;
  list(): Promise<string[]>;
}

/** Not flushed to the disk: the death of the process keeps it, and after a power cut `doctor` finds open turns in the journals. */
export function createMarkers(home: string, files: StorageAtOnce): Markers {
  const folder = join(home, 'running');
  return {
    set: (chatId) => files.write(join(folder, chatId), '', { isFlushed: false }),
    clear(chatId) {
      try {
        files.remove(join(folder, chatId));
      } catch {
        // one that stays costs a look at its chat at the next start
      }
    },
    list: async () => files.list(folder),
  };
}
