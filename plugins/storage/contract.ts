// The contract of the product's identity, its home folder, and its files.
import type { Disposable } from 'agent-harness/kernel';

/** The product's identity, from which everything with its name derives. Provided by the distribution. */
export interface Product {
  /** `app`: the command, the header `x-app-token`, the meta tag `app-web-auth`, the folder `~/.app`, the prefix `APP_`. */
  readonly name: string;
  /** Display name: page title, `--help`. */
  readonly title: string;
  readonly version: string;
  /** The command that users type; the name when left out. */
  readonly command?: string;
  /** Programs that the same command runs by their first argument. */
  readonly programs?: readonly { readonly name: string; readonly summary: string }[];
  /** Absolute path of the home folder. Exists, mode 0700. */
  readonly home: string;
  /** Absolute path of the initial working directory. */
  readonly startFolder: string;
  /** Variable → the variable that users of this product set instead; texts name that one. */
  readonly setBy?: Readonly<Record<string, string>>;
  /** Returns the current variables of `.env` in the home folder; none if it is unreadable. */
  readDotenv?(): Promise<Record<string, string>>;
}

/** Lower-case letters; those listed belong to the platform. */
export type IdPrefix = 'chat' | 'turn' | 'msg' | 'call' | 'appr' | 'ask' | 'clip' | 'att' | 'req' | 'task' | (string & {});

export interface WriteOptions {
  /** File mode; 0o600 when left out. */
  readonly mode?: number;
  /** Still atomic, and survives the death of this process; a power cut may lose it. */
  readonly isFlushed?: false;
  /** An existing file stays unchanged: of several writers, in any process, the first one wins. */
  readonly keepsExisting?: true;
}

/** Validates the shape of a JSON file. */
export type Shape<T> = (value: unknown) => value is T;

/** A log of JSON lines with buffered writes: unflushed lines are lost with the process, so acknowledged data must not go there. */
export interface LineFile {
  /** Buffers the line for the next flush. Contract: never throws, never waits. */
  add(line: object): void;
  /** Appends all buffered lines. Contract: never rejects; failed writes are reported to `onFault` and retried. */
  flush(): Promise<void>;
}

export interface LineFileOptions {
  readonly path: string;
  /** Path to which a full file is moved, replacing an earlier one. */
  readonly fullPath: string;
  /** Bytes. */
  readonly maxBytes: number;
  onFault(cause: unknown): void;
}

/**
 * Synchronous file access, for results needed before the next event of a chat is numbered. Short texts, rarely. File-system
 * errors are thrown unchanged.
 */
export interface StorageAtOnce {
  /** `undefined` if there is none. */
  read(path: string): string | undefined;
  /** @param options `isFlushed`: whole and on disk when it returns; otherwise it only survives the death of this process */
  write(path: string, text: string, options: { readonly isFlushed: boolean }): void;
  /**
   * Like a flushed write, asynchronously: the new content replaces the file only if `isWanted` still returns true then. Returns whether.
   * Rejects with file-system errors.
   */
  writeAhead(path: string, text: string, isWanted: () => boolean): Promise<boolean>;
  /** A missing file is not an error. */
  remove(path: string): void;
  /** Like {@link Storage.list}. */
  list(folder: string): string[];
}

/**
 * The content of the home folder as whole values: documents (JSON, text) and blobs (bytes). The stock plugin stores them as
 * files; a distribution may provide this service and {@link JournalStore} on any other base. Then paths are keys, and a folder is
 * the common prefix of keys. Folders in which programs run, and externally edited files (`.env`, plugins), stay files.
 *
 * Contract: a resolved write is on disk. If a file system refuses to write,
 * lock or remove, the call rejects with `STORAGE_ERR_UNWRITABLE` (for reading, with `STORAGE_ERR_UNREADABLE`), with reason and
 * advice, and an `error` event is emitted.
 */
export interface Storage {
  /** `chat_` + 26-character ULID; later ids sort later. */
  createId(prefix: IdPrefix): string;
  /** Whether an external text is an id of that kind. Check it before using it in a path. */
  isId(prefix: IdPrefix, text: unknown): text is string;
  /**
   * `undefined` if there is no file. A file that does not parse, or has a wrong shape, is moved aside as
   * `<name>.corrupt-<time>`, reported by an `error` event, and reads as `undefined`.
   */
  readJson<T>(path: string, shape?: Shape<T>): Promise<T | undefined>;
  /** Writes atomically: temporary file, fsync, rename. Creates parents with mode 0700. */
  writeJson(path: string, value: unknown, options?: WriteOptions): Promise<void>;
  /** Reads like {@link Storage.readJson}, changes and writes atomically, also across processes (lock file). Returns the written value. */
  updateJson<T>(path: string, change: (current: T | undefined) => T | Promise<T>, options?: WriteOptions & { readonly shape?: Shape<T> }): Promise<T>;
  /** `undefined` if there is no file. */
  readText(path: string): Promise<string | undefined>;
  /** `undefined` if there is none. The caller owns the bytes. */
  readBytes(path: string): Promise<Buffer | undefined>;
  /** Whether a document, blob, journal or folder exists. */
  has(path: string): Promise<boolean>;
  /** Returns the names of direct children of a folder, unordered; empty for a missing folder. */
  list(folder: string): Promise<string[]>;
  /**
   * Moves a document, or a folder with its content, without an open journal; creates parents. Rejects with the code `ENOENT` if there is nothing, and with
   * `ENOTEMPTY` or `EEXIST` if a non-empty folder of that name exists.
   */
  move(from: string, to: string): Promise<void>;
  /** Returns the time of its last move: milliseconds since 1970. `undefined` if missing. */
  movedAt(path: string): Promise<number | undefined>;
  /** Copies a folder with its content. A missing folder is not an error. */
  copy(from: string, to: string): Promise<void>;
  /** Removes the folder with its content. A missing one is not an error. */
  removeFolder(folder: string): Promise<void>;
  readonly atOnce: StorageAtOnce;
  /** Like {@link Storage.writeJson}, for text or bytes. */
  writeFile(path: string, content: string | Uint8Array, options?: WriteOptions): Promise<void>;
  /** Creates no file before the first flush. The creator flushes it at the end. */
  createLineFile(options: LineFileOptions): LineFile;
  /** A missing file is not an error. */
  remove(path: string): Promise<void>;
  /** Removes temporary files of killed writers, recursively. Ends early when `signal` aborts. Returns the number removed. */
  removeLeftovers(folder: string, signal: AbortSignal): Promise<number>;
  /** Calls back when the file was created, changed or replaced, possibly repeatedly, if the system supports it. Returns the stop function. */
  watchFile(path: string, onChange: () => void): () => void;
  /** Locks out other processes until disposed. Rejects with `STORAGE_ERR_LOCKED` when another process has the lock. */
  lock(path: string): Promise<Disposable>;
  /**
   * For code that writes without this service: returns `STORAGE_ERR_UNWRITABLE` for a file-system error, any other fault unchanged.
   * Without a path, only faults of the whole disk count (full, or read-only).
   */
  unwritable(fault: unknown, path?: string): unknown;
}

/** One line of a journal, without its line break. */
export interface JournalLine {
  readonly text: string;
  /** Byte offset of its first byte; data after a line starts behind it. */
  readonly start: number;
}

export interface JournalOptions<T> {
  /** Extracts state from the end: called for lines from the last one upwards until it returns a value. Contract: pure, never throws. */
  look?(line: string): T | undefined;
  /** Creates a missing folder; otherwise a journal whose folder is gone is not recreated. */
  readonly makesFolder?: boolean;
  /** A write failed; called once until writing works again. */
  onFault(fault: Error): void;
}

/** A journal open for appending. The opener closes it; only one at a time per path. */
export interface JournalWriter<T> {
  /** The first value that `look` returned. */
  readonly last: T | undefined;
  /** Invalid bytes at the end, left by a crash, and the file they were moved to; 0 for an intact journal. */
  readonly cut: number;
  readonly aside: string;
  /** The last line lacked its line break, which was added. */
  readonly wasOpen: boolean;
  /** Writes whole lines, each one JSON object and a line break. Never throws: failed lines are kept and retried with the next ones. */
  append(lines: string): void;
  /** Resolves when all lines so far are on disk. Concurrent calls share one flush. Rejects while a write fails. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Journals: append-only logs of lines, by absolute path. Appended lines are readable immediately; synced ones survive
 * a crash, and of unsynced ones a prefix does. A last line without its break counts if it is a complete JSON object.
 */
export interface JournalStore {
  /** `undefined` if its folder is missing. Creates the journal if needed. */
  open<T>(path: string, options: JournalOptions<T>): JournalWriter<T> | undefined;
  /** Reads from the beginning, in batches that yield to other work; a missing journal has no lines. */
  read(path: string): AsyncIterable<readonly JournalLine[]>;
  /** Reads lines that begin before byte `end` (the journal's end when left out), last one first; a missing journal has no lines. */
  readBackwards(path: string, end?: number): AsyncIterable<JournalLine>;
  /** Returns the result of `look` for the newest matching line, without keeping the journal open. Never throws. */
  last<T>(path: string, look: (line: string) => T | undefined): T | undefined;
  /** Bytes; `undefined` if there is no journal. */
  size(path: string): Promise<number | undefined>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    product: Product;
    storage: Storage;
    journals: JournalStore;
  }
}
