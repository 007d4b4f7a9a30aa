// Deleted chats: kept for a while, then really gone.
import { mkdir, readdir, realpath, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';

const keptMs = 30 * 24 * 60 * 60_000;

/** Moves a chat's folder to `.trash/`. A scratch workspace that another chat works in stays where it is. */
export async function moveToTrash(chatId: string, chatsFolder: string, usedRoots: ReadonlySet<string>): Promise<void> {
  const trash = join(chatsFolder, '.trash');
  const from = join(chatsFolder, chatId);
  const to = join(trash, chatId);
  const workspace = await realPathOrNothing(join(from, 'workspace'));
  await mkdir(trash, { recursive: true, mode: 0o700 });
  await rename(from, to);
  const now = new Date();
  await utimes(to, now, now);
  if (workspace === undefined || !usedRoots.has(workspace)) return;
  await mkdir(from, { mode: 0o700 });
  await rename(join(to, 'workspace'), workspace);
}

async function realPathOrNothing(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch {
    return undefined; // a chat without a workspace of its own
  }
}

/** Deletes what was put there more than 30 days ago. */
export async function purgeTrash(chatsFolder: string, now = Date.now()): Promise<void> {
  const trash = join(chatsFolder, '.trash');
  let names: string[];
  try {
    names = await readdir(trash);
  } catch {
    return; // nothing was ever deleted
  }
  for (const name of names) {
    const path = join(trash, name);
    const { mtimeMs } = await stat(path);
    if (now - mtimeMs > keptMs) await rm(path, { recursive: true, force: true });
  }
}
