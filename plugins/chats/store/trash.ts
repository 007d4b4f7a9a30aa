// Keeps deleted chats in the trash for 30 days, and then deletes them permanently.
import { mkdir, realpath, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '#lib/errors';
import type { Storage } from 'agent-harness/plugins/storage';
import type { TrashedChat } from '../contract.ts';
import { readMeta } from './meta-cache.ts';
import type { SavedMeta } from './saved-meta.ts';

const dayMs = 24 * 60 * 60_000;
const keptMs = 30 * dayMs;
const longestStepMs = 7 * dayMs;
/** Interval of the purge in milliseconds. */
export const purgeEveryMs = dayMs;

/** Moves a chat's folder to `.trash/`. A scratch workspace stays in place if another chat uses it. */
export async function moveToTrash(chatId: string, chatsFolder: string, storage: Storage, usedRoots: ReadonlySet<string>): Promise<void> {
  const from = join(chatsFolder, chatId);
  const to = join(chatsFolder, '.trash', chatId);
  const workspace = await realPathOrNothing(join(from, 'workspace'));
  await storage.move(from, to);
  const moved = join(to, 'workspace');
  // With a storage backend other than files, the workspace did not move with its chat.
  if (workspace === undefined || !usedRoots.has(workspace) || (await realPathOrNothing(moved)) === undefined) return;
  try {
    await mkdir(from, { mode: 0o700 });
    await rename(moved, workspace);
  } catch (fault) {
    // The other chat still works in this folder.
    await rmdir(from).catch(() => undefined);
    await storage.move(to, from);
    throw fault;
  }
}

/** Lists the chats in the trash, most recently deleted first. Omits folders without a readable chat; the purge also deletes these. */
export async function listTrash(chatsFolder: string, storage: Storage): Promise<TrashedChat[]> {
  const trash = join(chatsFolder, '.trash');
  const ages = await storage.readJson(join(trash, 'ages.json'), isAges);
  const found: TrashedChat[] = [];
  for (const chatId of await namesIn(trash, storage)) {
    const movedAt = await storage.movedAt(join(trash, chatId)); // undefined if the chat has been removed in the meantime
    const meta = movedAt !== undefined && (await readMeta(storage, join(trash, chatId, 'meta.json'), chatId));
    if (!meta) continue;
    const known = ages?.chats[chatId];
    const ms = known?.movedAt === movedAt ? known.ms : 0;
    const { title, workspaceRoot, turns } = meta;
    found.push({ chatId, title, workspaceRoot, turns, deletedAt: new Date(movedAt).toISOString(), daysLeft: Math.max(0, Math.ceil((keptMs - ms) / dayMs)) });
  }
  return found.sort((left, right) => (left.deletedAt < right.deletedAt ? 1 : -1));
}

/** Restores a chat's folder. Returns `false` if the chat is not in the trash. Contract: the chat is not open. */
export async function takeFromTrash(chatId: string, chatsFolder: string, storage: Storage): Promise<boolean> {
  const from = join(chatsFolder, '.trash', chatId);
  const to = join(chatsFolder, chatId);
  const names = await storage.list(from);
  if (!names.includes('meta.json')) return false;
  if (!(await storage.has(to))) await storage.move(from, to);
  else {
    // The workspace had stayed for another chat. `meta.json` is moved last, so that after a crash the chat is still in the trash.
    for (const name of [...names.filter((one) => one !== 'meta.json'), 'meta.json']) await takeOne(name, from, to, storage);
    await storage.removeFolder(from);
  }
  return true;
}

/**
 * Restores one file or folder of a chat. If its target was created again in the meantime, the target stays, and the restored one is stored next to it under
 * another name.
 */
async function takeOne(name: string, from: string, to: string, storage: Storage): Promise<void> {
  try {
    await storage.move(join(from, name), join(to, name));
  } catch (fault) {
    if (!hasCode(fault, 'ENOTEMPTY', 'EEXIST')) throw fault;
    await storage.move(join(from, name), join(to, `${name}.from-trash-${Date.now()}`));
  }
}

/** Lets plugins drop data derived from the chat while its folder still exists. */
export type BeforeErase = (chatId: string, folder: string) => Promise<void>;

/** Erases a chat in the trash. Returns `false` if the chat is not in the trash. */
export async function eraseFromTrash(chatId: string, chatsFolder: string, storage: Storage, before: BeforeErase): Promise<boolean> {
  const path = join(chatsFolder, '.trash', chatId);
  const isThere = await storage.has(path);
  if (!isThere) return false;
  await before(chatId, path);
  await storage.removeFolder(path);
  return true;
}

/** Returns the metas of the readable chats in the trash. */
export async function trashedMetas(chatsFolder: string, storage: Storage): Promise<SavedMeta[]> {
  const trash = join(chatsFolder, '.trash');
  const metas = await Promise.all((await namesIn(trash, storage)).map((chatId) => readMeta(storage, join(trash, chatId, 'meta.json'), chatId)));
  return metas.filter((meta) => meta !== undefined);
}

async function namesIn(trash: string, storage: Storage): Promise<string[]> {
  return (await storage.list(trash)).filter((name) => storage.isId('chat', name));
}

async function realPathOrNothing(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch {
    return undefined; // the chat has no workspace of its own
  }
}

/** Content of `.trash/ages.json`. */
interface Ages {
  /** Time of the last purge, in milliseconds since 1970. */
  readonly lookedAt: number;
  readonly chats: Readonly<Record<string, { readonly movedAt: number; readonly ms: number }>>;
}

/**
 * Deletes chats that have been in the trash for more than 30 days. Ages grow from purge to purge by at most {@link longestStepMs}, so that a clock that jumps
 * does not cause a deletion.
 */
export async function purgeTrash(chatsFolder: string, storage: Storage, before: BeforeErase, now = Date.now()): Promise<void> {
  const trash = join(chatsFolder, '.trash');
  const names = await namesIn(trash, storage);
  if (names.length === 0) return;
  const path = join(trash, 'ages.json');
  const lastLook = await storage.readJson(path, isAges);
  const passed = Math.min(Math.max(0, now - (lastLook?.lookedAt ?? now)), longestStepMs);
  const chats: Record<string, Ages['chats'][string]> = {};
  /** Errors of individual chats, which are thrown after all chats have been processed. */
  const faults: unknown[] = [];
  for (const name of names) {
    const movedAt = await storage.movedAt(join(trash, name));
    // The chat has been removed from the trash in the meantime.
    if (movedAt === undefined) continue;
    const known = lastLook?.chats[name];
    // The age starts over if the chat was restored and deleted again.
    const ms = known?.movedAt === movedAt ? known.ms + passed : 0;
    if (ms > keptMs) {
      try {
        await eraseFromTrash(name, chatsFolder, storage, before);
        continue;
      } catch (fault) {
        faults.push(fault);
      }
    }
    chats[name] = { movedAt, ms };
  }
  await storage.writeJson(path, { lookedAt: now, chats } satisfies Ages);
  if (faults.length > 0) throw faults[0];
}

function isAges(value: unknown): value is Ages {
  const { lookedAt, chats } = (value ?? {}) as Partial<Ages>;
  return Number.isFinite(lookedAt) && typeof chats === 'object' && chats !== null && Object.values(chats).every((one) => Number.isFinite(one?.ms));
}
