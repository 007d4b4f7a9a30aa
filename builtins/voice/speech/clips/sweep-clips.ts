// Removes clips from all chats that have not been played for a long time.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Storage } from 'agent-harness/plugins/storage';

export interface SweepParts {
  readonly storage: Pick<Storage, 'list' | 'remove'>;
  readonly chats: Pick<Chats, 'list' | 'folder'>;
  /** Called for each removed clip. */
  onGone(chatId: string, file: string): void;
}

const unusedMs = 30 * 24 * 60 * 60 * 1_000;

/** Returns the folder of a chat's clips. */
export const speechFolder = (chats: Pick<Chats, 'folder'>, chatId: string): string => join(chats.folder(chatId), 'audio', 'speech');

/** Removes the clips. Playing a clip updates its time. Resolves with the number of removed clips; ends early when the signal is aborted. */
export async function sweepClips({ storage, chats, onGone }: SweepParts, signal: AbortSignal, now = Date.now()): Promise<number> {
  let count = 0;
  for (const { chatId } of (await chats.list({ archived: true })).chats) {
    const folder = speechFolder(chats, chatId);
    for (const file of await storage.list(folder)) {
      if (signal.aborted) return count;
      const path = join(folder, file);
      const usedAt = (await stat(path).catch(() => undefined))?.mtimeMs;
      if (usedAt === undefined || now - usedAt < unusedMs) continue;
      await storage.remove(path);
      onGone(chatId, file);
      count++;
    }
  }
  return count;
}
