// Files of workspaces, which others change while we look.
import type { Dirent, Stats } from 'node:fs';

export type FileIdentity = Pick<Stats, 'dev' | 'ino'>;

/** A file that is open for reading. Whoever opens it closes it. */
export interface ExactFile {
  readonly descriptor: number;
  readonly stats: Stats;
}

/**
 * Files of workspaces, where a program may put a link in place of a folder at any moment. Paths are real paths, without
 * links, that somebody decided about: what is opened, listed, made or removed is what stands at exactly that path, never
 * what a link put there since leads to. Where that is no longer so, they fail with the code `EMOVED` (or what the system
 * says) and nothing has been read or written.
 */
export interface ExactFiles {
  /**
   * Opens a file, pipe or device for reading without waiting for anybody.
   *
   * @param decided what stood there when it was decided about; needed where a system cannot tell the path of a descriptor
   */
  open(path: string, decided?: FileIdentity): ExactFile;
  close(file: ExactFile): void;
  /** What stands at exactly this path. */
  stat(path: string): Stats;
  /** What is in the folder that stands at exactly this path. */
  list(path: string): Dirent[];
  /**
   * Works on names of the folder that stands at exactly this path: below `at` they are reached, whatever becomes of the folders above. `at` holds until
   * the work is over.
   */
  within<T>(path: string, work: (at: string) => Promise<T>): Promise<T>;
  /** Whole file: temporary file beside it, fsync, rename. Makes missing folders. A hard link is broken, so that its other names keep their content. */
  replace(
    path: string,
    content: Uint8Array,
    options?: { readonly mode?: number; /** Keeps mode and owner of what was there. */ readonly like?: Stats },
  ): Promise<void>;
  /** No file is no error. */
  remove(path: string): Promise<void>;
  /** An empty one. */
  removeFolder(path: string): Promise<void>;
  /**
   * The text of a regular file of at most so many bytes; `undefined` for anything else: nothing there, a pipe, a device, a
   * larger file. Follows links, never waits.
   */
  readSmall(path: string, maxBytes: number): string | undefined;
}

declare module 'agent-harness/kernel' {
  interface Services {
    exactFiles: ExactFiles;
  }
}
