// The log of changes of each chat: one JSON line a record, flushed before the change it speaks of happens.
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { createSerialQueues } from 'agent-harness/lib/async';
import { jsonOf } from 'agent-harness/lib/values';
import type { Storage } from 'agent-harness/plugins/storage';
import type { OutsideEffect } from './contract.ts';

export interface ChangeRecord {
  readonly kind: 'change';
  readonly turnId: string;
  readonly callId: string;
  /** Absolute, real; of state its id. */
  readonly path: string;
  /** SHA-256 of the content before, `null` where there was no file. */
  readonly before: string | null;
  /** SHA-256 of the content that is about to be there, `null` for a deletion. Of what is still open it says nothing. */
  readonly after: string | null;
  /** Permission bits of the file before. */
  readonly mode?: number;
  /** The outermost folder that is made for the file. */
  readonly madeFolder?: string;
  /** A person took back a part of what tools changed: how the path is shown. */
  readonly takenBack?: string;
  /** State of a plugin, and no file: how people call it. */
  readonly label?: string;
  /** What it is changed to is known when it is done: a {@link SettledRecord} says it. */
  readonly isOpen?: true;
  readonly at: string;
}

/** A change that was open is over. */
export interface SettledRecord {
  readonly kind: 'settled';
  readonly callId: string;
  readonly path: string;
  readonly after: string | null;
}

export interface CancelRecord {
  readonly kind: 'cancel';
  readonly callId: string;
  readonly path: string;
  readonly at: string;
}

/** One thing that an undo puts back. */
export interface RestoredPath {
  readonly path: string;
  readonly shown: string;
  /** What was there until then. */
  readonly from: string | null;
  /** What is there since; left out in older records. */
  readonly to?: string | null;
  /** Permission bits of the file that was there. */
  readonly mode?: number;
  readonly label?: string;
  /** Later changes by others were kept. */
  readonly isMerged?: true;
}

export interface UndoRecord {
  readonly kind: 'undo';
  readonly turnId: string;
  readonly restored: readonly RestoredPath[];
  readonly conflicts: readonly string[];
  /** Only these were to be taken back. Left out: the whole turn. */
  readonly only?: readonly string[];
  /** Of the {@link IntentRecord}; undos of one intent are taken back together. */
  readonly intent?: string;
  readonly at: string;
}

/** What an undo is about to do, as a whole: written before any of it is done. */
export interface IntentRecord {
  readonly kind: 'intent';
  readonly id: string;
  readonly steps: readonly UndoStep[];
  /** What stands in the log once it is done; each without what turns out to be somebody else's by then. */
  readonly undos: readonly UndoRecord[];
  /** The intent of the undo that it takes back; its own undos are empty then. */
  readonly redoes?: string;
  /** Of such a one: the turn, and what is left alone. */
  readonly turnId?: string;
  readonly conflicts?: readonly string[];
  readonly at: string;
}

/** From exactly that to exactly this. */
export interface UndoStep {
  readonly path: string;
  readonly from: string | null;
  readonly to: string | null;
  /** Permission bits that the file gets. */
  readonly mode?: number;
  /** The outermost folder that goes with the file, where it is empty then. */
  readonly madeFolder?: string;
}

/** An intent came to its end. */
export interface EndRecord {
  readonly kind: 'end';
  readonly id: string;
  /** It was taken back: nothing of it is left. */
  readonly isTakenBack?: true;
  /** Where something else stood by then. */
  readonly conflicts: readonly string[];
  readonly at: string;
}

/** A call ran that does something which nothing here takes back; whether it came to its end is in the journal. */
export interface OutsideRecord extends OutsideEffect {
  readonly kind: 'outside';
  readonly turnId: string;
  /** It ran where all could be recorded that it does, and not all of it was. */
  readonly isPartial?: true;
  readonly at: string;
}

/** What a call that is noted as {@link OutsideRecord} did, it did where it could reach nothing but what is kept. */
export interface ContainedRecord {
  readonly kind: 'contained';
  readonly turnId: string;
  readonly callId: string;
  readonly at: string;
}

/** The model knows of all undos before. */
export interface ToldRecord {
  readonly kind: 'told';
  readonly at: string;
}

export type LogRecord = ChangeRecord | SettledRecord | CancelRecord | UndoRecord | IntentRecord | EndRecord | OutsideRecord | ContainedRecord | ToldRecord;

export interface CheckpointLogs {
  read(chatId: string): Promise<readonly LogRecord[]>;
  /** Resolves when the records are on the disk: all of them, or those before the one that a crash cut off. */
  append(chatId: string, ...records: readonly LogRecord[]): Promise<void>;
  /** Resolves when it is written: the death of this process keeps it, a power cut may not. */
  jot(chatId: string, record: LogRecord): Promise<void>;
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

  async function write(chatId: string, records: readonly LogRecord[], isFlushed: boolean): Promise<void> {
    const log = await open(chatId);
    await mkdir(folder(chatId), { recursive: true, mode: 0o700 });
    const lineBreak = log.isTorn ? '\n' : '';
    // A write that fails may leave half a line, which must not swallow the next one.
    log.isTorn = true;
    await appendText(fileOf(chatId), `${lineBreak}${records.map((record) => `${JSON.stringify(record)}\n`).join('')}`, isFlushed);
    log.isTorn = false;
    log.records.push(...records);
  }

  return {
    folder,
    read: async (chatId) => (await open(chatId)).records,
    append: (chatId, ...records) => write(chatId, records, true),
    jot: (chatId, record) => write(chatId, [record], false),
    exclusive: queues.run,
    forget: (chatId) => void logs.delete(chatId),
  };
}

function parseRecord(line: string): LogRecord[] {
  // The line that a crash cut off: the change it was to announce did not happen.
  const record = jsonOf(line) as LogRecord | undefined;
  return record === undefined ? [] : [record];
}

async function appendText(path: string, text: string, isFlushed: boolean): Promise<void> {
  const file = await open(path, 'a', 0o600);
  try {
    await file.appendFile(text);
    if (isFlushed) await file.sync();
  } finally {
    await file.close();
  }
}
