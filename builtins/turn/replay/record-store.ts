// Stores the records of turns: one file each in the folder of its chat, limited in number and size; the oldest are dropped.
import { join } from 'node:path';
import { isRecord } from 'agent-harness/lib/values';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Storage } from 'agent-harness/plugins/storage';
import { recordVersion, type LeftOut, type TurnRecord } from './record-types.ts';

export interface RecordLimits {
  /** Bytes. */
  readonly ofChat: number;
  readonly turns: number;
}

export interface RecordRow {
  readonly turnId: string;
  readonly bytes: number;
}

export interface RecordStore {
  write(chatId: string, turnId: string, text: string, limits: RecordLimits): Promise<void>;
  read(chatId: string, turnId: string): Promise<TurnRecord | LeftOut | undefined>;
  /** Newest first. */
  list(chatId: string): Promise<RecordRow[]>;
  /** Copies to another chat that includes these turns. */
  copy(from: string, to: string, turns: ReadonlySet<string>): Promise<void>;
}

/** The name contains the size, so that dropping needs no reading. */
const named = /^(turn_[0-9A-Z]{26})\.(\d{1,12})\.json$/;

export function createRecordStore(chats: Pick<Chats, 'folder'>, storage: Storage): RecordStore {
  const folderOf = (chatId: string): string => join(chats.folder(chatId), 'replays');
  const fileOf = (chatId: string, { turnId, bytes }: RecordRow): string => join(folderOf(chatId), `${turnId}.${bytes}.json`);

  async function list(chatId: string): Promise<RecordRow[]> {
    const rows = (await storage.list(folderOf(chatId))).flatMap((name) => {
      const [, turnId = '', bytes = ''] = named.exec(name) ?? [];
      return turnId === '' ? [] : [{ turnId, bytes: Number(bytes) }];
    });
    return rows.sort((a, b) => (a.turnId < b.turnId ? 1 : -1));
  }

  return {
    list,
    async write(chatId, turnId, text, { ofChat, turns }) {
      // A chat deleted meanwhile is not recreated.
      if (!(await storage.has(chats.folder(chatId)))) return;
      const bytes = Buffer.byteLength(text);
      // A power cut may lose it; then only the replay is unavailable.
      await storage.writeFile(fileOf(chatId, { turnId, bytes }), text, { isFlushed: false });
      let sum = 0;
      for (const [at, row] of (await list(chatId)).entries()) {
        sum += row.bytes;
        if (at > 0 && (at >= turns || sum > ofChat)) await storage.remove(fileOf(chatId, row));
      }
    },
    async read(chatId, turnId) {
      const row = (await list(chatId)).find((one) => one.turnId === turnId);
      return row && storage.readJson(fileOf(chatId, row), isRecordOrLeftOut);
    },
    async copy(from, to, turns) {
      for (const row of await list(from)) {
        const bytes = turns.has(row.turnId) ? await storage.readBytes(fileOf(from, row)) : undefined;
        if (bytes) await storage.writeFile(fileOf(to, row), bytes);
      }
    },
  };
}

function isRecordOrLeftOut(value: unknown): value is TurnRecord | LeftOut {
  if (!isRecord(value) || value['version'] !== recordVersion) return false;
  return typeof value['tooLarge'] === 'number' || isTurnRecord(value);
}

function isTurnRecord(value: unknown): value is TurnRecord {
  return isRecord(value) && value['version'] === recordVersion && Array.isArray(value['log']) && Array.isArray(value['asks']) && isRecord(value['values']);
}
