// Stores clips in the folder of their chat, so that they are deleted with it. File names contain the metadata, so no index can become inconsistent. Files are
// written atomically.
import { utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createSerialQueue } from '#lib/async';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Storage } from 'agent-harness/plugins/storage';
import { speechFolder } from './sweep-clips.ts';

export interface KeptClip {
  readonly clipId: string;
  /** Hash of text, voice and engine. */
  readonly key: string;
  readonly mimeType: string;
  readonly durationSec: number | null;
  readonly bytes: number;
}

export interface ClipStore {
  /** Returns an earlier clip of this chat with the same key. */
  find(chatId: string, key: string): Promise<KeptClip | undefined>;
  read(chatId: string, clipId: string): Promise<{ readonly clip: KeptClip; readonly content: Buffer } | undefined>;
  /** Resolves when the clip is on disk; afterwards, removes the oldest clips of all chats beyond the size limit. */
  save(chatId: string, clip: Omit<KeptClip, 'bytes'>, content: Buffer): Promise<void>;
  /** Called when a file of the folder was removed. */
  gone(chatId: string, file: string): void;
  /** Called when a chat was deleted or restored. */
  forget(chatId: string): void;
  idle(): Promise<void>;
}

export interface ClipStoreParts {
  readonly storage: Storage;
  readonly chats: Chats;
  /** Returns the maximum size of all clips together, in bytes. */
  mostBytes(): number;
  warn(message: string): void;
}

const endings: Readonly<Record<string, string>> = { 'audio/wav': 'wav', 'audio/mpeg': 'mp3', 'audio/ogg': 'ogg', 'audio/aac': 'aac', 'audio/flac': 'flac' };
const types: Readonly<Record<string, string>> = Object.fromEntries(Object.entries(endings).map(([type, ending]) => [ending, type]));
/** Matches a file name with the fields clip id, key, milliseconds, bytes. */
const name = /^(clip_[0-9A-Za-z]+)\.([0-9a-f]{32})\.(\d+|x)\.(\d+)\.([a-z0-9]+)$/;

export function createClipStore({ storage, chats, mostBytes, warn }: ClipStoreParts): ClipStore {
  const known = new Map<string, Promise<Map<string, KeptClip>>>();
  const writing = createSerialQueue();
  /** Cleanups run one after the other. The first one reads the folders of all chats in the background. */
  const clearing = createSerialQueue();
  /** Clips whose last use this process has recorded. */
  const used = new Set<string>();

  const folderOf = (chatId: string): string => speechFolder(chats, chatId);
  const pathOf = (chatId: string, { clipId, key, durationSec, bytes, mimeType }: KeptClip): string =>
    join(folderOf(chatId), `${clipId}.${key}.${durationSec === null ? 'x' : Math.round(durationSec * 1_000)}.${bytes}.${endings[mimeType] ?? ''}`);

  function clipsOf(chatId: string): Promise<Map<string, KeptClip>> {
    const before = known.get(chatId);
    if (before) return before;
    const clips = list(chatId);
    known.set(chatId, clips);
    // Discards a failed read, so that the next call retries.
    clips.catch(() => known.get(chatId) === clips && known.delete(chatId));
    return clips;
  }

  async function list(chatId: string): Promise<Map<string, KeptClip>> {
    const names = await storage.list(folderOf(chatId));
    const clips = names.sort().flatMap((file) => readName(file) ?? []);
    return new Map(clips.map((clip) => [clip.clipId, clip]));
  }

  /** Removes the oldest clips beyond the size limit; ids increase with time. */
  async function makeRoom(beside: string): Promise<void> {
    const all = dirname(chats.folder(beside));
    for (const chatId of await storage.list(all)) if (storage.isId('chat', chatId)) await clipsOf(chatId);
    const clips: { readonly chatId: string; readonly clip: KeptClip }[] = [];
    for (const [chatId, own] of known) for (const clip of (await own).values()) clips.push({ chatId, clip });
    clips.sort((a, b) => (a.clip.clipId < b.clip.clipId ? -1 : 1));
    let bytes = clips.reduce((sum, { clip }) => sum + clip.bytes, 0);
    for (const { chatId, clip } of clips.slice(0, -1)) {
      if (bytes <= mostBytes()) return;
      (await clipsOf(chatId)).delete(clip.clipId);
      await storage.remove(pathOf(chatId, clip));
      bytes -= clip.bytes;
    }
  }

  function use(chatId: string, clip: KeptClip): KeptClip {
    if (used.has(clip.clipId)) return clip;
    used.add(clip.clipId);
    const now = new Date();
    utimes(pathOf(chatId, clip), now, now).catch(() => undefined); // the file may have been removed
    return clip;
  }

  return {
    async find(chatId, key) {
      const found = [...(await clipsOf(chatId)).values()].find((clip) => clip.key === key);
      return found && use(chatId, found);
    },
    async read(chatId, clipId) {
      const clip = (await clipsOf(chatId)).get(clipId);
      const content = clip && (await storage.readBytes(pathOf(chatId, clip)));
      return clip && content ? { clip: use(chatId, clip), content } : undefined;
    },
    save: (chatId, given, content) =>
      writing.run(async () => {
        // Skips types that have no file extension, and deleted chats, whose folder would otherwise be recreated.
        if (endings[given.mimeType] === undefined || !(await storage.has(chats.folder(chatId)))) return;
        const clip: KeptClip = { ...given, bytes: content.length };
        const clips = await clipsOf(chatId);
        await storage.writeFile(pathOf(chatId, clip), content, { mode: 0o600 });
        clips.set(clip.clipId, clip);
        used.add(clip.clipId);
        clearing.run(() => makeRoom(chatId)).catch((fault: unknown) => warn(`the oldest clips could not be removed: ${String(fault)}`));
      }),
    gone(chatId, file) {
      const clip = readName(file);
      if (clip)
        known.get(chatId)?.then(
          (clips) => clips.delete(clip.clipId),
          () => undefined,
        );
    },
    forget: (chatId) => void known.delete(chatId),
    async idle() {
      await writing.idle();
      await clearing.idle();
    },
  };
}

function readName(file: string): KeptClip | undefined {
  const [, clipId, key, length, bytes, ending = ''] = name.exec(file) ?? [];
  const mimeType = types[ending];
  if (clipId === undefined || key === undefined || mimeType === undefined) return undefined;
  return { clipId, key, mimeType, durationSec: length === 'x' ? null : Number(length) / 1_000, bytes: Number(bytes) };
}
