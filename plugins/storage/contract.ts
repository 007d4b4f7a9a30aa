// What the product is called, where its home folder is, and how files in it are read and written.
import type { Disposable } from 'agent-harness/kernel';

/** Who we are. Everything that carries the product's name derives from here. Given by the distribution. */
export interface Product {
  /** `app`: the command, the header `x-app-token`, the meta tag `app-web-auth`, the folder `~/.app`, the prefix `APP_`. */
  readonly name: string;
  /** For people: page title, `--help`. */
  readonly title: string;
  readonly version: string;
  /** What people type to run it; the name when left out. */
  readonly command?: string;
  /** Programs that the same command runs by their first word. */
  readonly programs?: readonly { readonly name: string; readonly summary: string }[];
  /** Absolute path of the home folder. Exists, mode 0700. */
  readonly home: string;
  /** Absolute path of the folder the process was started in. */
  readonly startFolder: string;
  /** Variable → the one that people of this product set in its place; texts name that one. */
  readonly setBy?: Readonly<Record<string, string>>;
  /** The variables of `.env` in the home folder as they are now; none where it cannot be read. */
  readDotenv?(): Promise<Record<string, string>>;
}

/** Lower-case letters; the ones named are those of the platform. */
export type IdPrefix = 'chat' | 'turn' | 'msg' | 'call' | 'appr' | 'ask' | 'clip' | 'att' | 'req' | 'task' | (string & {});

export interface WriteOptions {
  /** File mode; 0o600 when left out. */
  readonly mode?: number;
  /** Whole all the same, and kept by the death of this process; a power cut may lose it. */
  readonly isFlushed?: false;
  /** A file that exists stays as it is: of several writers, other processes included, the first one wins. */
  readonly keepsExisting?: true;
}

/** Whether JSON has the shape that a file must have. */
export type Shape<T> = (value: unknown) => value is T;

/** A log of JSON lines that is written behind: what was not flushed is lost with the process, so nothing that was acknowledged goes there. */
export interface LineFile {
  /** Keeps the line for the next flush. Contract: never throws, never waits. */
  add(line: object): void;
  /** Appends what was added so far. Contract: never rejects; what cannot be written is told to `onFault` and tried again. */
  flush(): Promise<void>;
}

export interface LineFileOptions {
  readonly path: string;
  /** Where the file goes when it is full; what was there is replaced. */
  readonly fullPath: string;
  /** Bytes. */
  readonly maxBytes: number;
  onFault(cause: unknown): void;
}

/**
 * What cannot wait: the answer is needed before the next event of a chat has its number. Short texts, seldom. What a file system
 * refuses is thrown as it is.
 */
export interface StorageAtOnce {
  /** `undefined` where there is none. */
  read(path: string): string | undefined;
  /** @param options `isFlushed`: whole and on disk when it returns; else the death of this process alone keeps it */
  write(path: string, text: string, options: { readonly isFlushed: boolean }): void;
  /**
   * Like a flushed write, and nobody waits: what was written is put in place only if `isWanted` still holds then. Answers whether.
   * Rejects with what a file system refuses.
   */
  writeAhead(path: string, text: string, isWanted: () => boolean): Promise<boolean>;
  /** None there is no error. */
  remove(path: string): void;
  /** Like {@link Storage.list}. */
  list(folder: string): string[];
}

/**
 * What the home folder holds, in values that are whole: documents (JSON, text) and blobs (bytes). The stock plugin keeps them as
 * files; a distribution may provide this service and {@link JournalStore} from anything else. Then paths are keys, and a folder is
 * what the keys below it have in common. Folders in which programs run, and files that others edit (`.env`, plugins), stay files.
 *
 * Contract: what a resolved write acknowledges is on disk. What a file system refuses to write,
 * lock or remove rejects at once with `STORAGE_ERR_UNWRITABLE` (or to read, with `STORAGE_ERR_UNREADABLE`), which says why and
 * what helps, and is told by an `error` event.
 */
export interface Storage {
  /** `chat_` + 26-character ULID; ids made later sort later. */
  createId(prefix: IdPrefix): string;
  /** Whether a text from outside is an id of that kind. Check it before it touches a path. */
  isId(prefix: IdPrefix, text: unknown): text is string;
  /**
   * `undefined` where there is no file. A file that does not parse, or does not have the shape, is moved aside as
   * `<name>.corrupt-<time>`, reported by an `error` event, and reads as `undefined`.
   */
  readJson<T>(path: string, shape?: Shape<T>): Promise<T | undefined>;
  /** Whole file: temporary file, fsync, rename. Parents are made with mode 0700. */
  writeJson(path: string, value: unknown, options?: WriteOptions): Promise<void>;
  /** Read like {@link Storage.readJson}, change, write with nobody between, other processes included (lock file). Answers what was written. */
  updateJson<T>(path: string, change: (current: T | undefined) => T | Promise<T>, options?: WriteOptions & { readonly shape?: Shape<T> }): Promise<T>;
  /** `undefined` where there is no file. */
  readText(path: string): Promise<string | undefined>;
  /** `undefined` where there is none. The bytes belong to the caller. */
  readBytes(path: string): Promise<Buffer | undefined>;
  /** Whether a document, blob, journal or folder is there. */
  has(path: string): Promise<boolean>;
  /** Names of what stands directly in a folder, in no order; none where there is no folder. */
  list(folder: string): Promise<string[]>;
  /**
   * Moves a document, or a folder with all in it, of which no journal is open; makes parents. Rejects with the code `ENOENT` where nothing is there, and with
   * `ENOTEMPTY` or `EEXIST` where a folder with something in it has that name already.
   */
  move(from: string, to: string): Promise<void>;
  /** When it was moved there last: milliseconds since 1970. `undefined` where nothing is there. */
  movedAt(path: string): Promise<number | undefined>;
  /** Copies a folder with all in it. No folder is no error. */
  copy(from: string, to: string): Promise<void>;
  /** With all below it. None there is no error. */
  removeFolder(folder: string): Promise<void>;
  readonly atOnce: StorageAtOnce;
  /** Like {@link Storage.writeJson}, for text or bytes. */
  writeFile(path: string, content: string | Uint8Array, options?: WriteOptions): Promise<void>;
  /** Makes no file before the first flush. Whoever makes one flushes it in the end. */
  createLineFile(options: LineFileOptions): LineFile;
  /** No file is no error. */
  remove(path: string): Promise<void>;
  /** Removes the temporary files of writers that were killed, in a folder and below it. Ends early when `signal` aborts. Answers how many went. */
  removeLeftovers(folder: string, signal: AbortSignal): Promise<number>;
  /** Calls when the file was made, changed or replaced, perhaps more than once, and where the system can tell. Answers how to stop. */
  watchFile(path: string, onChange: () => void): () => void;
  /** Keeps other processes out until disposed. Rejects with `STORAGE_ERR_LOCKED` when another process has it. */
  lock(path: string): Promise<Disposable>;
  /**
   * For whoever writes without this service: `STORAGE_ERR_UNWRITABLE` where a file system refused, any other fault as it is.
   * Without a path, only a refusal that is the same for the whole disk counts (it is full, or read-only).
   */
  unwritable(fault: unknown, path?: string): unknown;
}

/** One line of a journal, without its line break. */
export interface JournalLine {
  readonly text: string;
  /** Byte offset of its first byte; what follows a line begins behind it. */
  readonly start: number;
}

export interface JournalOptions<T> {
  /** What is to be known of the end: asked for lines from the last one upwards until it answers. Contract: pure, never throws. */
  look?(line: string): T | undefined;
  /** Makes the folder where there is none; else a journal whose folder is gone is not made again. */
  readonly makesFolder?: boolean;
  /** Something could not be written; told once until it works again. */
  onFault(fault: Error): void;
}

/** A journal that is open for appending. Whoever opens it closes it; only one at a time is open for a path. */
export interface JournalWriter<T> {
  /** What `look` answered first. */
  readonly last: T | undefined;
  /** Bytes at the end that were no line, as a crash leaves them, and where they were put; 0 where the journal was in order. */
  readonly cut: number;
  readonly aside: string;
  /** The last line lacked its line break, which it has again. */
  readonly wasOpen: boolean;
  /** Writes whole lines, each one JSON object and a line break. Never throws: what could not be written is kept and tried again with the next ones. */
  append(lines: string): void;
  /** Resolves when all lines so far are on disk. Calls that come together share one flush. Rejects while something cannot be written. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Journals: logs that only grow, line by line, by absolute path. What was appended is read by everybody at once; what was synced outlives
 * a crash, and of what was not, a beginning does. A last line without its break counts where it is a whole JSON object.
 */
export interface JournalStore {
  /** `undefined` where its folder is not there. Makes the journal, else. */
  open<T>(path: string, options: JournalOptions<T>): JournalWriter<T> | undefined;
  /** From the beginning, some lines at a time so that others get their turn; no journal is no line. */
  read(path: string): AsyncIterable<readonly JournalLine[]>;
  /** Lines that begin before byte `end` (the journal's end when left out), the last one first; no journal is no line. */
  readBackwards(path: string, end?: number): AsyncIterable<JournalLine>;
  /** What `look` answers for the newest line that it knows, without opening the journal for good. Never throws. */
  last<T>(path: string, look: (line: string) => T | undefined): T | undefined;
  /** Bytes; `undefined` where there is no journal. */
  size(path: string): Promise<number | undefined>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    product: Product;
    storage: Storage;
    journals: JournalStore;
  }
}
