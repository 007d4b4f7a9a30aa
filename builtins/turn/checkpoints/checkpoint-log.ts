// Stores the change log of each chat: one JSON line per record, flushed before the recorded change happens.
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { createSerialQueues } from '#lib/async';
import { jsonOf } from '#lib/values';
import type { Storage } from 'agent-harness/plugins/storage';
import type { OutsideEffect } from './contract.ts';

export interface ChangeRecord {
  readonly kind: 'change';
  readonly turnId: string;
  readonly callId: string;
  /** Absolute, real path; for plugin state its id. */
  readonly path: string;
  /** SHA-256 of the content before, `null` for a missing file. */
  readonly before: string | null;
  /** SHA-256 of the content about to be written, `null` for a deletion. Meaningless for an open record. */
  readonly after: string | null;
  /** Permission bits of the file before. */
  readonly mode?: number;
  /** The outermost folder created for the file. */
  readonly madeFolder?: string;
  /** Display path; set if the user undid a part of the changes by tools. */
  readonly takenBack?: string;
  /** Plugin state instead of a file: its display name. */
  readonly label?: string;
  /** The result is known only after the change: see {@link SettledRecord}. */
  readonly isOpen?: true;
  readonly at: string;
}

/** Result of an open change that has ended. */
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

/** One path restored by an undo. */
export interface RestoredPath {
  readonly path: string;
  readonly shown: string;
  /** The content before the undo. */
  readonly from: string | null;
  /** The content after the undo; left out in older records. */
  readonly to?: string | null;
  /** Permission bits of the replaced file. */
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
  /** The only paths that the user requested. Left out: the whole turn. */
  readonly only?: readonly string[];
  /** Id of the {@link IntentRecord}; the undos of one intent are redone together. */
  readonly intent?: string;
  readonly at: string;
}

/** The complete plan of an undo, written before its first step. */
export interface IntentRecord {
  readonly kind: 'intent';
  readonly id: string;
  readonly steps: readonly UndoStep[];
  /** The records to write after the last step; paths that others changed meanwhile are excluded. */
  readonly undos: readonly UndoRecord[];
  /** For a redo: the intent of the undo that it reverts; its own undos are empty then. */
  readonly redoes?: string;
  /** For a redo: the turn, and the paths left unchanged. */
  readonly turnId?: string;
  readonly conflicts?: readonly string[];
  readonly at: string;
}

/** One step, which replaces exactly one content by exactly one other. */
export interface UndoStep {
  readonly path: string;
  readonly from: string | null;
  readonly to: string | null;
  /** Permission bits of the written file. */
  readonly mode?: number;
  /** The outermost folder to remove with the file if the folder is empty then. */
  readonly madeFolder?: string;
}

/** The end of a completed intent. */
export interface EndRecord {
  readonly kind: 'end';
  readonly id: string;
  /** The intent was rolled back completely. */
  readonly isTakenBack?: true;
  /** Paths whose content was no longer the expected one. */
  readonly conflicts: readonly string[];
  readonly at: string;
}

/** A call with effects that an undo cannot revert; the journal has its result. */
export interface OutsideRecord extends OutsideEffect {
  readonly kind: 'outside';
  readonly turnId: string;
  /** All effects of the call could be recorded, but some were not. */
  readonly isPartial?: true;
  readonly at: string;
}

/** Marks a call, recorded as {@link OutsideRecord}, as run in a sandbox that reaches only tracked content. */
export interface ContainedRecord {
  readonly kind: 'contained';
  readonly turnId: string;
  readonly callId: string;
  readonly at: string;
}

/** Notes that the model has been informed of all earlier undos. */
export interface ReportedRecord {
  readonly kind: 'told';
  readonly at: string;
}

export type LogRecord = ChangeRecord | SettledRecord | CancelRecord | UndoRecord | IntentRecord | EndRecord | OutsideRecord | ContainedRecord | ReportedRecord;

export interface CheckpointLogs {
  read(chatId: string): Promise<readonly LogRecord[]>;
  /** Resolves when the records are on the disk. After a crash, the log has all of them or only the first ones. */
  append(chatId: string, ...records: readonly LogRecord[]): Promise<void>;
  /** Resolves when the record is written but not flushed: it survives the death of this process, possibly not a power cut. */
  jot(chatId: string, record: LogRecord): Promise<void>;
  /** Runs work with exclusive access to a chat's checkpoints. */
  exclusive<T>(chatId: string, work: () => Promise<T>): Promise<T>;
  forget(chatId: string): void;
  /** Returns the folder of a chat's checkpoints. */
  folder(chatId: string): string;
}

interface Log {
  readonly records: LogRecord[];
  /** A crash or a full disk may have truncated the last line. */
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
      // A failed disk operation may succeed next time.
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
    // A failed write may leave a partial line, which must not corrupt the next one.
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
  // A crash truncated this line, so its change did not happen.
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
