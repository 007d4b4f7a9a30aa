// Which chats have a turn that is not over: one empty file each, so that a start after a crash looks at those only.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from 'agent-harness/lib/errors';

export interface Markers {
  set(chatId: string): void;
  /** Contract: never throws. */
  clear(chatId: string): void;
  list(): Promise<string[]>;
}

/** Not flushed to the disk: the death of the process keeps it, and after a power cut `doctor` finds open turns in the journals. */
export function createMarkers(home: string): Markers {
  const folder = join(home, 'running');
  return {
    set(chatId) {
      const path = join(folder, chatId);
      try {
        writeFileSync(path, '', { mode: 0o600 });
      } catch (fault) {
        if (!isMissing(fault)) throw fault;
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(path, '', { mode: 0o600 });
      }
    },
    clear(chatId) {
      try {
        rmSync(join(folder, chatId), { force: true });
      } catch {
        // one that stays costs a look at its chat at the next start
      }
    },
    async list() {
      try {
        return await readdir(folder);
      } catch {
        return []; // nothing ever ran here
      }
    },
  };
}
