// Defines the contract of the service `exactFiles`: access to workspace files that is safe against concurrent changes to folders and links.
import type { Dirent, Stats } from 'node:fs';

export type FileIdentity = Pick<Stats, 'dev' | 'ino'>;

/** A file that is open for reading. The caller must close it. */
export interface ExactFile {
  readonly descriptor: number;
  readonly stats: Stats;
}

/**
 * Accesses files in workspaces where a program may replace a folder with a link at any time. Paths must be real paths (links resolved) that the caller has
 * checked. An operation affects only the entry at exactly that path, never the target of a link placed there since. If the path has changed, the operation
 * fails with the code `EMOVED` or the system's error, and reads or writes nothing.
 */
export interface ExactFiles {
  /**
   * Opens a file, pipe or device for reading without blocking.
   * @param decided identity of the file that was checked; required on systems that cannot resolve the path of a descriptor
   */
  open(path: string, decided?: FileIdentity): ExactFile;
  close(file: ExactFile): void;
  /** Returns the stats of the entry at exactly this path. */
  stat(path: string): Stats;
  /** Lists the folder at exactly this path. */
  list(path: string): Dirent[];
  /** Runs `work` with `at`, a path to the folder that stays valid until `work` settles, even if parent folders change. */
  within<T>(path: string, work: (at: string) => Promise<T>): Promise<T>;
  /** Writes a file atomically: temporary file, fsync, rename. Creates missing folders. Breaks hard links: other names of the file keep the old content. */
  replace(
    path: string,
    content: Uint8Array,
    options?: { readonly mode?: number; /** Stats of the file to replace; the new file keeps its mode and owner. */ readonly like?: Stats },
  ): Promise<void>;
  /** Removes a file; a missing file is not an error. */
  remove(path: string): Promise<void>;
  /** Removes an empty folder. */
  removeFolder(path: string): Promise<void>;
  /**
   * Returns the text of a regular file of at most `maxBytes`; `undefined` for a missing file, a pipe, a device, or a larger file. Follows links; never blocks.
   */
  readSmall(path: string, maxBytes: number): string | undefined;
}

declare module 'agent-harness/kernel' {
  interface Services {
    exactFiles: ExactFiles;
  }
}
