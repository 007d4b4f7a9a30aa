// Deleted chats: kept for a while, then really gone.
import { mkdir, readdir, realpath, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Storage } from 'agent-harness/plugins/storage';

const dayMs = 24 * 60 * 60_000;
const keptMs = 30 * dayMs;
const longestStepMs = 7 * dayMs;
/** How often to look while the server runs. */
export const lookEveryMs = dayMs;

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

/** `.trash/ages.json`. */
interface Ages {
  /** Milliseconds since 1970: the last look. */
  readonly lookedAt: number;
  readonly chats: Readonly<Record<string, { readonly movedAt: number; readonly ms: number }>>;
}

/**
 * Deletes what has been there for more than 30 days. Time passes from look to look, and never more than {@link longestStepMs} between two of
 * them: a clock that jumps empties nothing.
 */
export async function purgeTrash(chatsFolder: string, storage: Pick<Storage, 'readJson' | 'writeJson' | 'isId'>, now = Date.now()): Promise<void> {
  const trash = join(chatsFolder, '.trash');
  const names = (await readdir(trash).catch(() => [])).filter((name) => storage.isId('chat', name));
  if (names.length === 0) return;
  const path = join(trash, 'ages.json');
  const before = checkAges(await storage.readJson<unknown>(path));
  const passed = Math.min(Math.max(0, now - (before?.lookedAt ?? now)), longestStepMs);
  const chats: Record<string, Ages['chats'][string]> = {};
  for (const name of names) {
    const { mtimeMs: movedAt } = await stat(join(trash, name));
    const known = before?.chats[name];
    // One that was taken out and deleted again begins anew.
    const ms = known?.movedAt === movedAt ? known.ms + passed : 0;
    if (ms > keptMs) await rm(join(trash, name), { recursive: true, force: true });
    else chats[name] = { movedAt, ms };
  }
  await storage.writeJson(path, { lookedAt: now, chats } satisfies Ages);
}

function checkAges(value: unknown): Ages | undefined {
  const { lookedAt, chats } = (value ?? {}) as Partial<Ages>;
  const isWhole = Number.isFinite(lookedAt) && typeof chats === 'object' && Object.values(chats).every((one) => Number.isFinite(one?.ms));
  return isWhole ? (value as Ages) : undefined;
}
