// Stores the change log of each chat: one JSON line per record, flushed to disk before the recorded change is made.
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
  /** Absolute real path of the file; for plugin state, its id. */
  readonly path: string;
  /** SHA-256 of the content before the change; `null` if the file was missing. */
  readonly before: string | null;
  /** SHA-256 of the content about to be written; `null` for a deletion. Meaningless in an open record. */
  readonly after: string | null;
  /** Permission bits of the file before the change. */
  readonly mode?: number;
  /** Path of the outermost folder that was created for the file. */
  readonly madeFolder?: string;
  /** Display path; set if the change is an undo of part of a tool's changes. */
  readonly takenBack?: string;
  /** Display name of plugin state; omitted for files. */
  readonly label?: string;
  /** Set if the result is known only after the change; see {@link SettledRecord}. */
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

/** A path that an undo restored. */
export interface RestoredPath {
  readonly path: string;
  readonly shown: string;
  /** SHA-256 of the content before the undo. */
  readonly from: string | null;
  /** SHA-256 of the content after the undo; omitted in older records. */
  readonly to?: string | null;
  /** Permission bits of the replaced file. */
  readonly mode?: number;
  readonly label?: string;
  /** Set if later changes by others were kept. */
  readonly isMerged?: true;
}

export interface UndoRecord {
  readonly kind: 'undo';
  readonly turnId: string;
  readonly restored: readonly RestoredPath[];
  readonly conflicts: readonly string[];
  /** The paths that the user selected; omitted if the whole turn was undone. */
  readonly only?: readonly string[];
  /** Id of the {@link IntentRecord}; a redo reverts all undos of one intent together. */
  readonly intent?: string;
  readonly at: string;
}

/** The complete plan of an undo, written before its first step. */
export interface IntentRecord {
  readonly kind: 'intent';
  readonly id: string;
  readonly steps: readonly UndoStep[];
  /** The records to write after the last step, without paths that others have changed in the meantime. */
  readonly undos: readonly UndoRecord[];
  /** For a redo: id of the intent of the undo that it reverts; `undos` is then empty. */
  readonly redoes?: string;
  /** For a redo: the turn, and the paths that were left unchanged. */
  readonly turnId?: string;
  readonly conflicts?: readonly string[];
  readonly at: string;
}

/** One step of an undo, which replaces exactly the expected content with exactly the new content. */
export interface UndoStep {
  readonly path: string;
  readonly from: string | null;
  readonly to: string | null;
  /** Permission bits of the written file. */
  readonly mode?: number;
  /** Path of the outermost folder, which is removed with the file if it is then empty. */
  readonly madeFolder?: string;
}

/** Marks an intent as completed. */
export interface EndRecord {
  readonly kind: 'end';
  readonly id: string;
  /** Set if the intent was rolled back completely. */
  readonly isTakenBack?: true;
  /** Paths that were skipped because their content was not the expected one. */
  readonly conflicts: readonly string[];
  readonly at: string;
}

/** A call with effects that an undo cannot revert; the journal contains its result. */
export interface OutsideRecord extends OutsideEffect {
  readonly kind: 'outside';
  readonly turnId: string;
  /** Set if all effects of the call could have been recorded but some were not. */
  readonly isPartial?: true;
  readonly at: string;
}

/** Marks a call that has an {@link OutsideRecord} as run in a sandbox in which it can change only tracked content. */
export interface ContainedRecord {
  readonly kind: 'contained';
  readonly turnId: string;
  readonly callId: string;
  readonly at: string;
}

/** Marks all earlier undos as reported to the model. */
export interface ReportedRecord {
  readonly kind: 'told';
  readonly at: string;
}

export type LogRecord = ChangeRecord | SettledRecord | CancelRecord | UndoRecord | IntentRecord | EndRecord | OutsideRecord | ContainedRecord | ReportedRecord;

export interface CheckpointLogs {
  read(chatId: string): Promise<readonly LogRecord[]>;
  /** Appends records. Resolves when they are on disk; after a crash, the log contains either all of them or only the first ones. */
  append(chatId: string, ...records: readonly LogRecord[]): Promise<void>;
  /** Appends a record without flushing: it survives the end of this process, but possibly not a power failure. */
  jot(chatId: string, record: LogRecord): Promise<void>;
  /** Runs work with exclusive access to the checkpoints of a chat. */
  exclusive<T>(chatId: string, work: () => Promise<T>): Promise<T>;
  forget(chatId: string): void;
  /** Returns the folder of a chat's checkpoints. */
  folder(chatId: string): string;
}

interface Log {
  readonly records: LogRecord[];
  /** Whether the last line may be truncated by a crash or a full disk. */
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
      // Opens the log again, because a failed disk operation may succeed next time.
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
  // A crash truncated this line, so its change was not made.
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
