// Defines the contract of the service `exactFiles`: access to workspace files that is safe against concurrent changes of folders and links.
import type { Dirent, Stats } from 'node:fs';

export type FileIdentity = Pick<Stats, 'dev' | 'ino'>;

/** A file that is open for reading. The caller must close it. */
export interface ExactFile {
  readonly descriptor: number;
  readonly stats: Stats;
}

/**
 * Accesses workspace files in which a program may replace a folder with a link at any moment. Paths are real paths, without links, that were checked before.
 * Operations affect only the entry at exactly that path, never the target of a link that was placed there since. If the path has changed, they fail with the
 * code `EMOVED` or the system's error, without having read or written anything.
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
  /** Runs `work` with `at`, a path to the folder that stays valid even if parent folders change, until `work` settles. */
  within<T>(path: string, work: (at: string) => Promise<T>): Promise<T>;
  /** Writes a file atomically: temporary file, fsync, rename. Creates missing folders. A hard link is broken, so that its other names keep the old content. */
  replace(
    path: string,
    content: Uint8Array,
    options?: { readonly mode?: number; /** Keeps mode and owner of the replaced file. */ readonly like?: Stats },
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
