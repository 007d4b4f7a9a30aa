// Stores turn records, one file each in the folder of the chat, within limits on number and size; the oldest are dropped. Prompts and tools, which most turns
// of a chat share, are stored in a separate file named after their hash.
import { join } from 'node:path';
import { sha256 } from '#lib/hash';
import { isRecord } from '#lib/values';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Storage } from 'agent-harness/plugins/storage';
import type { TurnRecord } from './record-schema.ts';
import { recordVersion, type EncodedRecord, type LeftOut } from './record-types.ts';

export interface RecordLimits {
  /** Maximum size of all records of a chat in bytes. */
  readonly ofChat: number;
  readonly turns: number;
}

export interface RecordRow {
  readonly turnId: string;
  readonly bytes: number;
}

export interface RecordStore {
  write(chatId: string, turnId: string, encoded: EncodedRecord, limits: RecordLimits): Promise<void>;
  read(chatId: string, turnId: string): Promise<TurnRecord | LeftOut | undefined>;
  /** Lists the records of a chat, newest first. */
  list(chatId: string): Promise<RecordRow[]>;
  /** Copies the records of the given turns to another chat. */
  copy(from: string, to: string, turns: ReadonlySet<string>): Promise<void>;
}

interface Row extends RecordRow {
  readonly name: string;
  /** Hash of the file with prompts and tools; omitted if they are in the record, as in version 0.1. */
  readonly shared?: string | undefined;
}

/** Matches the name of a record file, which contains the size and a hash, so that records can be dropped without being read. */
const named = /^(turn_[0-9A-Z]{26})\.(\d{1,12})(?:\.([0-9a-f]{20}))?\.json$/;
/** Options for writing records, which are not flushed: a power failure may lose a record, but then only the turn's replay is lost. */
const unflushed = { isFlushed: false } as const;

export function createRecordStore(chats: Pick<Chats, 'folder'>, storage: Storage): RecordStore {
  const folderOf = (chatId: string): string => join(chats.folder(chatId), 'replays');
  const sharedName = (hash: string): string => `shared.${hash}.json`;

  function rowsOf(names: readonly string[]): Row[] {
    const rows = names.flatMap((name) => {
      const [, turnId = '', bytes = '', shared] = named.exec(name) ?? [];
      return turnId === '' ? [] : [{ name, turnId, bytes: Number(bytes), shared }];
    });
    return rows.sort((a, b) => (a.turnId < b.turnId ? 1 : -1));
  }
  const list = async (chatId: string): Promise<Row[]> => rowsOf(await storage.list(folderOf(chatId)));

  return {
    list,
    async write(chatId, turnId, { text, texts }, { ofChat, turns }) {
      const folder = folderOf(chatId);
      const names = await storage.list(folder);
      // A write must not recreate the folder of a chat that was deleted in the meantime.
      if (names.length === 0 && !(await storage.has(chats.folder(chatId)))) return;
      const hash = texts === undefined ? undefined : sha256(texts).slice(0, 20);
      const isNew = hash !== undefined && !names.includes(sharedName(hash));
      if (isNew) await storage.writeFile(join(folder, sharedName(hash)), texts ?? '', unflushed);
      const bytes = Buffer.byteLength(text) + (isNew ? Buffer.byteLength(texts ?? '') : 0);
      const name = [turnId, bytes, ...(hash === undefined ? [] : [hash]), 'json'].join('.');
      await storage.writeFile(join(folder, name), text, unflushed);
      let sum = 0;
      const used = new Set<string>();
      for (const [at, row] of rowsOf([...names, name]).entries()) {
        sum += row.bytes;
        if (at > 0 && (at >= turns || sum > ofChat)) await storage.remove(join(folder, row.name));
        else if (row.shared !== undefined) used.add(sharedName(row.shared));
      }
      for (const one of names) if (one.startsWith('shared.') && !used.has(one)) await storage.remove(join(folder, one));
    },
    async read(chatId, turnId) {
      const row = (await list(chatId)).find((one) => one.turnId === turnId);
      const record = row && (await storage.readJson(join(folderOf(chatId), row.name), isRecordOrLeftOut));
      if (!record || row.shared === undefined) return record;
      const texts = await storage.readJson(join(folderOf(chatId), sharedName(row.shared)), isTexts);
      return texts && ({ ...record, texts } as TurnRecord);
    },
    async copy(from, to, turns) {
      const rows = (await list(from)).filter(({ turnId }) => turns.has(turnId));
      const names = rows.flatMap(({ name, shared }) => [name, ...(shared === undefined ? [] : [sharedName(shared)])]);
      for (const name of new Set(names)) {
        const bytes = await storage.readBytes(join(folderOf(from), name));
        if (bytes) await storage.writeFile(join(folderOf(to), name), bytes);
      }
    },
  };
}

function isRecordOrLeftOut(value: unknown): value is TurnRecord | LeftOut {
  if (!isRecord(value) || value['version'] !== recordVersion) return false;
  return typeof value['tooLarge'] === 'number' || (Array.isArray(value['log']) && Array.isArray(value['asks']) && isRecord(value['values']));
}

const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value);
