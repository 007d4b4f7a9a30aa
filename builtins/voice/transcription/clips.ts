// Stores the recordings of chats before any processing, with their transcripts next to them.
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Segment } from 'agent-harness/builtins/voice/audio-engines';
import { sha256 } from '#lib/hash';
import { isRecord } from '#lib/values';
import { readWave, soundHeadBytes, soundTypeOf, type Wave } from '#lib/sound';
import { textStart } from '#lib/text';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Storage } from 'agent-harness/plugins/storage';
import type { MakeError } from './errors.ts';

export interface Clip {
  readonly attachmentId: string;
  readonly path: string;
  readonly mimeType: string;
  readonly bytes: number;
  /** Format of a WAV file with uncompressed samples. */
  readonly wave: Wave | undefined;
}

/** A transcript as it is returned. */
export interface KeptTranscript {
  readonly text: string;
  readonly durationSec: number | null;
  readonly language: string;
  readonly cost: number | null;
  readonly segments?: readonly Segment[];
  readonly engine: string;
  readonly model?: string;
}

export interface Clips {
  /** Stores a recording. Resolves when it is on disk. Rejects with `NOT_AUDIO`. */
  keep(chatId: string, bytes: Buffer): Promise<Clip>;
  /** Stores a recording as {@link keep} does, but reuses a recording of the chat that has the same bytes. */
  keepOnce(chatId: string, bytes: Buffer): Promise<Clip>;
  /** Finds a recording. Rejects with `NOT_FOUND`. */
  find(chatId: string, attachmentId: string): Promise<Clip>;
  read(clip: Clip): Promise<Buffer>;
  /** Returns the cached transcript made with the same engine, variant, language, prompt and timestamp options. */
  transcript(clip: Clip, circumstances: object): Promise<KeptTranscript | undefined>;
  keepTranscript(clip: Clip, circumstances: object, transcript: KeptTranscript): Promise<void>;
  /** Copies the recordings to a copied chat. */
  copy(from: string, to: string): Promise<void>;
}

export interface ClipsParts {
  readonly storage: Storage;
  readonly chats: Pick<Chats, 'folder' | 'get'>;
  readonly makeError: MakeError;
}

type TranscriptFile = Readonly<Record<string, KeptTranscript>>;

/** Maximum number of transcripts per recording; the oldest is removed. */
const mostTranscripts = 8;

export function createClips({ storage, chats, makeError }: ClipsParts): Clips {
  const folderOf = (chatId: string): string => join(chats.folder(chatId), 'audio');
  const pathOf = (chatId: string, attachmentId: string): string => join(folderOf(chatId), attachmentId);
  const clipOf = (attachmentId: string, path: string, head: Buffer, bytes: number, mimeType: string): Clip => ({
    ...{ attachmentId, path, mimeType, bytes },
    wave: readWave(head, bytes),
  });

  /** Compares a file with bytes. If the sizes differ, the file is not read. */
  async function isSame(path: string, bytes: Buffer): Promise<boolean> {
    const size = (await stat(path).catch(() => undefined))?.size;
    return size === bytes.length && (await storage.readBytes(path))?.equals(bytes) === true;
  }

  const clips: Clips = {
    async keepOnce(chatId, bytes) {
      for (const name of await storage.list(folderOf(chatId)))
        if (storage.isId('att', name) && (await isSame(pathOf(chatId, name), bytes))) return clips.find(chatId, name);
      return clips.keep(chatId, bytes);
    },
    async keep(chatId, bytes) {
      const head = bytes.subarray(0, soundHeadBytes);
      const mimeType = soundTypeOf(head);
      if (mimeType === undefined) throw makeError('NOT_AUDIO', { why: bytes.length === 0 ? 'it is empty' : 'its bytes have no known audio format' });
      // Throws for a deleted chat, whose folder would otherwise be recreated.
      await chats.get(chatId);
      const attachmentId = storage.createId('att');
      const path = pathOf(chatId, attachmentId);
      await storage.writeFile(path, bytes);
      return clipOf(attachmentId, path, head, bytes.length, mimeType);
    },
    async find(chatId, attachmentId) {
      const notFound = (): Error => makeError('NOT_FOUND', { id: textStart(attachmentId, 64) });
      if (!storage.isId('att', attachmentId)) throw notFound();
      const path = pathOf(chatId, attachmentId);
      const file = await open(path, 'r').catch(() => undefined);
      if (!file) throw notFound();
      try {
        const { size } = await file.stat();
        const head = Buffer.alloc(Math.min(size, soundHeadBytes));
        await file.read(head, 0, head.length, 0);
        const mimeType = soundTypeOf(head);
        if (mimeType === undefined) throw makeError('NOT_AUDIO', { why: 'its bytes have no known audio format' });
        return clipOf(attachmentId, path, head, size, mimeType);
      } finally {
        await file.close();
      }
    },
    async read({ attachmentId, path }) {
      const bytes = await storage.readBytes(path);
      if (!bytes) throw makeError('NOT_FOUND', { id: attachmentId });
      return bytes;
    },
    async transcript({ path }, circumstances) {
      return (await storage.readJson<TranscriptFile>(`${path}.json`, isFile))?.[keyOf(circumstances)];
    },
    async keepTranscript({ path }, circumstances, transcript) {
      if (!(await storage.has(path))) return;
      const change = (file: TranscriptFile = {}): TranscriptFile => {
        const key = keyOf(circumstances);
        const others = Object.entries(file).filter(([other]) => other !== key);
        return Object.fromEntries([...others, [key, transcript] as const].slice(-mostTranscripts));
      };
      await storage.updateJson<TranscriptFile>(`${path}.json`, change, { shape: isFile });
    },
    async copy(from, to) {
      for (const name of await storage.list(folderOf(from)))
        if (storage.isId('att', name.replace(/\.json$/, ''))) await storage.copy(join(folderOf(from), name), join(folderOf(to), name));
    },
  };
  return clips;
}

const keyOf = (circumstances: object): string => sha256(JSON.stringify(circumstances)).slice(0, 16);

function isFile(value: unknown): value is TranscriptFile {
  return isRecord(value) && Object.values(value).every((one) => isRecord(one) && typeof one['text'] === 'string' && typeof one['engine'] === 'string');
}
