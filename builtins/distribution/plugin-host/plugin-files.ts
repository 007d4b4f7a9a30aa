// Lists the files of a plugin, and detects changes by file stats and content.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { PluginReport } from 'agent-harness/kernel';
import { sha256 } from '#lib/hash';

/** Maximum number of files; a plugin with more files is neither cached nor isolated. */
const mostFiles = 2_000;

const isIndex = (path: string): boolean => /^index\.m?js$/.test(basename(path));

/** Returns whether a plugin is third-party code. */
export function isOutside({ origin }: Pick<PluginReport, 'origin'>): boolean {
  return origin === 'user' || origin === 'bundle';
}

/** Returns the files that belong to a plugin: the folder of an index file; otherwise the file itself, and the folder of the same name if there is one. */
export function ownFiles(path: string): readonly string[] {
  return isIndex(path) ? [dirname(path)] : [path, path.replace(/\.m?js$/, '')];
}

interface FoundFile {
  readonly file: string;
  /** Whether the entry is a regular file. */
  readonly isFile: boolean;
}

/**
 * Returns a text that changes with the size, the times or the inode of any file; `undefined` if the files cannot be listed or their number exceeds {@link
 * mostFiles}.
 */
export function stampOf(path: string): string | undefined {
  try {
    const parts = [...filesOf(path)].flatMap(({ file }) => {
      const stats = statSync(file, { throwIfNoEntry: false });
      return stats ? [`${file} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs} ${stats.ino}`] : [];
    });
    return sha256(parts.join('\n'));
  } catch {
    return undefined;
  }
}

/** Returns a hash over the paths and contents of all files; `undefined` if there are links, and in the cases in which {@link stampOf} returns `undefined`. */
export function hashOf(path: string): string | undefined {
  const hash = createHash('sha256');
  try {
    for (const { file, isFile } of filesOf(path)) {
      if (!isFile) return undefined;
      const bytes = readFileSync(file);
      hash.update(`${file} ${bytes.length}\n`).update(bytes);
    }
    return hash.digest('hex');
  } catch {
    return undefined;
  }
}

function* filesOf(path: string): Generator<FoundFile> {
  if (!isIndex(path)) yield { file: path, isFile: true };
  const folder = ownFiles(path).at(-1) ?? path;
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) yield* filesBelow(folder);
}

/** Yields the files and links in a folder in a fixed order. Throws if there are more than {@link mostFiles} files, and for file system errors. */
export function* filesBelow(folder: string, left = { files: mostFiles }): Generator<FoundFile> {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1))) {
    if (--left.files < 0) throw new RangeError(`${folder} has too many files`);
    const file = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(file, left);
    else yield { file, isFile: entry.isFile() };
  }
}
