// What the product is called, where its home folder is, and how files in it are read and written.
import type { Disposable } from 'agent-harness/kernel';

/** Who we are. Everything that carries the product's name derives from here. Given by the distribution. */
export interface Product {
  /** `app`: the command, the header `x-app-token`, the meta tag `app-web-auth`, the folder `~/.app`, the prefix `APP_`. */
  readonly name: string;
  /** For people: page title, `--help`. */
  readonly title: string;
  readonly version: string;
  /** Absolute path of the home folder. Exists, mode 0700. */
  readonly home: string;
  /** Absolute path of the folder the process was started in. */
  readonly startFolder: string;
  /** The variables of `.env` in the home folder as they are now; none where it cannot be read. */
  readDotenv?(): Promise<Record<string, string>>;
}

export type IdPrefix = 'chat' | 'turn' | 'msg' | 'call' | 'appr' | 'ask' | 'clip' | 'att' | 'req' | 'task';

export interface WriteOptions {
  /** File mode; 0o600 when left out. */
  readonly mode?: number;
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
 * Files of the home folder. Contract: what a resolved write acknowledges is on disk. What a file system refuses to write,
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

declare module 'agent-harness/kernel' {
  interface Services {
    product: Product;
    storage: Storage;
  }
}
