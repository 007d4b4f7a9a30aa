// The log of changes of each chat: one JSON line a record, flushed before the change it speaks of happens.
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { createSerialQueues } from 'agent-harness/lib/async';
import { jsonOf } from 'agent-harness/lib/values';
import type { Storage } from 'agent-harness/plugins/storage';

export interface ChangeRecord {
  readonly kind: 'change';
  readonly turnId: string;
  readonly callId: string;
  /** Absolute, real. */
  readonly path: string;
  /** SHA-256 of the content before, `null` where there was no file. */
  readonly before: string | null;
  /** SHA-256 of the content that is about to be there, `null` for a deletion. */
  readonly after: string | null;
  /** Permission bits of the file before. */
  readonly mode?: number;
  /** The outermost folder that is made for the file. */
  readonly madeFolder?: string;
  /** A person took back a part of what tools changed: how the path is shown. */
  readonly takenBack?: string;
  readonly at: string;
}

export interface CancelRecord {
  readonly kind: 'cancel';
  readonly callId: string;
  readonly path: string;
  readonly at: string;
}

export interface UndoRecord {
  readonly kind: 'undo';
  readonly turnId: string;
  readonly restored: readonly { readonly path: string; readonly shown: string; /** What was there until then. */ readonly from: string | null }[];
  readonly conflicts: readonly string[];
  /** Absolute; only these were to be taken back. Left out: the whole turn. */
  readonly only?: readonly string[];
  readonly at: string;
}

/** The model knows of all undos before. */
export interface ToldRecord {
  readonly kind: 'told';
  readonly at: string;
}

export type LogRecord = ChangeRecord | CancelRecord | UndoRecord | ToldRecord;

export interface CheckpointLogs {
  read(chatId: string): Promise<readonly LogRecord[]>;
  /** Resolves when the record is on the disk. */
  append(chatId: string, record: LogRecord): Promise<void>;
  /** Runs work on a chat's checkpoints with nobody between. */
  exclusive<T>(chatId: string, work: () => Promise<T>): Promise<T>;
  forget(chatId: string): void;
  /** The folder of a chat's checkpoints. */
  folder(chatId: string): string;
}

interface Log {
  readonly records: LogRecord[];
  /** The last line may be cut off, by a crash or a full disk. */
  isTorn: boolean;
}

export function openLogs(chatFolder: (chatId: string) => string, storage: Pick<Storage, 'readText'>): CheckpointLogs {
  const logs = new Map<string, Promise<Log>>();
  const queues = createSerialQueues<string>();
  const folder = (chatId: string): string => join(chatFolder(chatId), 'checkpoints');
  const fileOf = (chatId: string): string => join(folder(chatId), 'log.jsonl');

  function open(chatId: string): Promise<Log> {
    let log = logs.get(chatId);
    if (!log) {
      log = readLog(chatId);
      logs.set(chatId, log);
      // A disk that fails now may work the next time.
      log.catch(() => logs.delete(chatId));
    }
    return log;
  }

  async function readLog(chatId: string): Promise<Log> {
    const text = (await storage.readText(fileOf(chatId))) ?? '';
    return { records: text.split('\n').flatMap(parseRecord), isTorn: text !== '' && !text.endsWith('\n') };
  }

  return {
    folder,
    read: async (chatId) => (await open(chatId)).records,
    async append(chatId, record) {
      const log = await open(chatId);
      await mkdir(folder(chatId), { recursive: true, mode: 0o700 });
      const lineBreak = log.isTorn ? '\n' : '';
      // A write that fails may leave half a line, which must not swallow the next one.
      log.isTorn = true;
      await appendFlushed(fileOf(chatId), `${lineBreak}${JSON.stringify(record)}\n`);
      log.isTorn = false;
      log.records.push(record);
    },
    exclusive: queues.run,
    forget: (chatId) => void logs.delete(chatId),
  };
}

function parseRecord(line: string): LogRecord[] {
  // The line that a crash cut off: the change it was to announce did not happen.
  const record = jsonOf(line) as LogRecord | undefined;
  return record === undefined ? [] : [record];
}

async function appendFlushed(path: string, text: string): Promise<void> {
  const file = await open(path, 'a', 0o600);
  try {
    await file.appendFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
