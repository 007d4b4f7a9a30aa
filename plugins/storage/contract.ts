// Defines the contract of storage: the identity of the product, its home folder, and the files in it.
import type { Disposable } from 'agent-harness/kernel';

/** The product's identity, from which all names that contain it are derived. Provided by the distribution. */
export interface Product {
  /** Short name. `app` determines the command, the `x-app-token` header, the `app-web-auth` meta tag, the folder `~/.app` and the prefix `APP_`. */
  readonly name: string;
  /** Display name, for the page title and `--help`. */
  readonly title: string;
  readonly version: string;
  /** Command that users type; default: the name. */
  readonly command?: string;
  /** Programs that the command starts if its first argument is their name. */
  readonly programs?: readonly { readonly name: string; readonly summary: string }[];
  /** Absolute path of the home folder, which exists with mode 0700. */
  readonly home: string;
  /** Absolute path of the initial working directory. */
  readonly startFolder: string;
  /** Maps each declared variable to the name that users of this product set instead; texts for users contain that name. */
  readonly setBy?: Readonly<Record<string, string>>;
  /** Returns the current variables of `.env` in the home folder; none if the file cannot be read. */
  readDotenv?(): Promise<Record<string, string>>;
}

/** Prefix of ids, in lower-case letters; the listed prefixes belong to the platform. */
export type IdPrefix = 'chat' | 'turn' | 'msg' | 'call' | 'appr' | 'ask' | 'clip' | 'att' | 'req' | 'task' | (string & {});

export interface WriteOptions {
  /** File mode; default: 0o600. */
  readonly mode?: number;
  /** Skips the flush: the write is atomic and survives the end of this process, but a power cut may lose it. */
  readonly isFlushed?: false;
  /** Keeps an existing file unchanged: the first of several writers, in any process, wins. */
  readonly keepsExisting?: true;
}

/** Validates the shape of a JSON file. */
export type Shape<T> = (value: unknown) => value is T;

/** A log of JSON lines with buffered writes. Unflushed lines are lost with the process, so it must not contain acknowledged data. */
export interface LineFile {
  /** Buffers a line for the next flush. Contract: never throws, never waits. */
  add(line: object): void;
  /** Appends all buffered lines. Contract: never rejects; reports failed writes to `onFault` and retries them. */
  flush(): Promise<void>;
}

export interface LineFileOptions {
  readonly path: string;
  /** Path to which a full file is moved, replacing an earlier one. */
  readonly fullPath: string;
  /** Maximum size of the file in bytes. */
  readonly maxBytes: number;
  onFault(cause: unknown): void;
}

/**
 * Synchronous file access, for results that are needed before the next event of a chat receives its number. Only for short, rare texts. Throws file-system
 * errors unchanged.
 */
export interface StorageAtOnce {
  /** Returns the text of a file; `undefined` if there is no file. */
  read(path: string): string | undefined;
  /**
   * Writes a file.
   * @param options `isFlushed`: the file is complete and on disk when the call returns; otherwise, it survives the death of this process, but not a power cut
   */
  write(path: string, text: string, options: { readonly isFlushed: boolean }): void;
  /**
   * Writes and flushes asynchronously. The new content replaces the file only if `isWanted` returns true at that time. Returns whether the file was replaced.
   * Rejects with file-system errors.
   */
  writeAhead(path: string, text: string, isWanted: () => boolean): Promise<boolean>;
  /** Removes a file; a missing file is not an error. */
  remove(path: string): void;
  /** Works like {@link Storage.list}. */
  list(folder: string): string[];
}

/**
 * The content of the home folder as whole values: documents (JSON, text) and blobs (bytes). The standard plugin stores them as files; a distribution may
 * implement this service and {@link JournalStore} on any other storage. Paths are then keys, and a folder is a common prefix of keys. Folders in which programs
 * run, and files that users edit (`.env`, plugins), remain files. Contract: a resolved write is on disk. If a file system refuses to write, lock or remove, the
 * call rejects with `STORAGE_ERR_UNWRITABLE` (for reading, with `STORAGE_ERR_UNREADABLE`), with reason and advice, and an `error` event is emitted.
 */
export interface Storage {
  /** Returns `chat_` and a 26-character ULID; later ids sort later. */
  createId(prefix: IdPrefix): string;
  /** Returns whether an external string is an id of that kind. Check this before using the string in a path. */
  isId(prefix: IdPrefix, text: unknown): text is string;
  /**
   * Returns the value of a file; `undefined` if there is no file. A file that does not parse, or has a wrong shape, is quarantined as
   * `<name>.corrupt-<time>`, reported by an `error` event, and reads as `undefined`.
   */
  readJson<T>(path: string, shape?: Shape<T>): Promise<T | undefined>;
  /** Writes atomically: temporary file, fsync, rename. Creates parent folders with mode 0700. */
  writeJson(path: string, value: unknown, options?: WriteOptions): Promise<void>;
  /** Like {@link Storage.readJson}, then changes and writes the value atomically, also across processes (lock file). Returns the written value. */
  updateJson<T>(path: string, change: (current: T | undefined) => T | Promise<T>, options?: WriteOptions & { readonly shape?: Shape<T> }): Promise<T>;
  /** Returns the text of a file; `undefined` if there is no file. */
  readText(path: string): Promise<string | undefined>;
  /** Returns the bytes of a file, which the caller owns; `undefined` if there is no file. */
  readBytes(path: string): Promise<Buffer | undefined>;
  /** Returns whether a document, blob, journal or folder exists. */
  has(path: string): Promise<boolean>;
  /** Returns the names of direct children of a folder, unordered; empty for a missing folder. */
  list(folder: string): Promise<string[]>;
  /**
   * Moves a document, or a folder with its content; creates parent folders. Contract: no journal in it is open. Rejects with the code `ENOENT` if the source
   * is missing, and with `ENOTEMPTY` or `EEXIST` if the target is a folder that is not empty.
   */
  move(from: string, to: string): Promise<void>;
  /** Returns the time of the last move in milliseconds since 1970; `undefined` if the path is missing. */
  movedAt(path: string): Promise<number | undefined>;
  /** Copies a folder with its content. A missing folder is not an error. */
  copy(from: string, to: string): Promise<void>;
  /** Removes a folder with its content. A missing folder is not an error. */
  removeFolder(folder: string): Promise<void>;
  readonly atOnce: StorageAtOnce;
  /** Works like {@link Storage.writeJson} for text or bytes. */
  writeFile(path: string, content: string | Uint8Array, options?: WriteOptions): Promise<void>;
  /** Creates a line file, which exists on disk after the first flush. The caller must flush it at the end. */
  createLineFile(options: LineFileOptions): LineFile;
  /** Removes a file; a missing file is not an error. */
  remove(path: string): Promise<void>;
  /** Removes temporary files of killed writers, recursively. Ends early when `signal` aborts. Returns the number of removed files. */
  removeLeftovers(folder: string, signal: AbortSignal): Promise<number>;
  /**
   * Calls `onChange` after the file was created, changed or replaced, possibly several times, if the system supports it. Returns the function that stops the
   * watch.
   */
  watchFile(path: string, onChange: () => void): () => void;
  /** Locks out other processes until the lock is disposed. Rejects with `STORAGE_ERR_LOCKED` if another process has the lock. */
  lock(path: string): Promise<Disposable>;
  /**
   * Converts errors of code that writes without this service: returns `STORAGE_ERR_UNWRITABLE` for a file-system error, and other errors unchanged. Without a
   * path, it converts only errors that concern the whole disk (full or read-only).
   */
  unwritable(fault: unknown, path?: string): unknown;
}

/** One line of a journal, without its line break. */
export interface JournalLine {
  readonly text: string;
  /** Byte offset of the line's first byte. */
  readonly start: number;
}

export interface JournalOptions<T> {
  /** Extracts state from the end of the journal: called for each line, from the last one upwards, until it returns a value. Contract: pure, never throws. */
  look?(line: string): T | undefined;
  /** Whether to create a missing folder. Otherwise, a journal whose folder was removed is not created again. */
  readonly makesFolder?: boolean;
  /** Called if a write failed; only once until writing works again. */
  onFault(fault: Error): void;
}

/** A journal that is open for appending. The caller must close it; only one writer may be open per path. */
export interface JournalWriter<T> {
  /** The first value that `look` returned. */
  readonly last: T | undefined;
  /** Number of invalid bytes that a crash left at the end; they were moved to the file `aside`. 0 for an intact journal. */
  readonly cut: number;
  readonly aside: string;
  /** Whether the last line lacked its line break, which was added. */
  readonly wasOpen: boolean;
  /** Appends whole lines, each one JSON object and a line break. Never throws: lines that cannot be written are buffered and retried with the next ones. */
  append(lines: string): void;
  /** Resolves when all lines so far are on disk. Concurrent calls share one flush. Rejects as long as writing fails. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Journals: append-only logs of lines, by absolute path. Appended lines are readable immediately. A crash keeps all synced lines and a prefix of the unsynced
 * ones. A last line without a line break is valid if it is a complete JSON object.
 */
export interface JournalStore {
  /** Opens a journal, and creates it if needed; returns `undefined` if its folder is missing. */
  open<T>(path: string, options: JournalOptions<T>): JournalWriter<T> | undefined;
  /** Reads from the beginning, in batches, and yields to the event loop in between; a missing journal has no lines. */
  read(path: string): AsyncIterable<readonly JournalLine[]>;
  /** Reads the lines that begin before byte `end` (default: the end of the journal), last line first; a missing journal has no lines. */
  readBackwards(path: string, end?: number): AsyncIterable<JournalLine>;
  /** Returns the result of `look` for the newest matching line, without keeping the journal open. Never throws. */
  last<T>(path: string, look: (line: string) => T | undefined): T | undefined;
  /** Returns the size in bytes; `undefined` if there is no journal. */
  size(path: string): Promise<number | undefined>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    product: Product;
    storage: Storage;
    journals: JournalStore;
  }
}
