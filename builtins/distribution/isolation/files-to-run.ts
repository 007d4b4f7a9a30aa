// Which files a plugin apart runs from: its own as they were read, or a copy of them where they are others by now.
import { ownFiles, type KeptPlugin } from './kept.ts';

/** Copies of what ran. None of them throws. */
export interface RunCopies {
  /** The hash of all that a plugin holds; `undefined` where it is too large to be copied. */
  contentOf(path: string): string | undefined;
  keep(name: string, path: string, content: string): void;
  /** The file of the copy, where that holds exactly this. */
  find(name: string, path: string, content: string): string | undefined;
}

export interface FilesToRun {
  readonly path: string;
  /** Its own file or folder. */
  readonly own: readonly string[];
  readonly isCopy: boolean;
}

export interface RunFiles {
  /** `undefined` where they are others than those that were read, and nobody has a copy. */
  now(): FilesToRun | undefined;
  /** It registered. */
  ranFrom(files: FilesToRun): void;
}

export function createRunFiles(name: string, own: FilesToRun, kept: Pick<KeptPlugin, 'content' | 'isUnchanged'>, copies: RunCopies): RunFiles {
  let { content } = kept;
  return {
    now() {
      // Before it is known that they are the same: what changes in between is no content of theirs.
      const seen = content ?? copies.contentOf(own.path);
      if (kept.isUnchanged()) {
        content = seen;
        return own;
      }
      const path = content === undefined ? undefined : copies.find(name, own.path, content);
      return path === undefined ? undefined : { path, own: ownFiles(path), isCopy: true };
    },
    ranFrom({ isCopy }) {
      if (content !== undefined && !isCopy) copies.keep(name, own.path, content);
    },
  };
}
