// Reads the files of a folder for a review by the user, up to a maximum number and total size.
import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileStamp } from './files.ts';
import { sha256 } from './hash.ts';

const maxFiles = 500;
const maxBytes = 4 * 1024 * 1024;
const maxDepth = 8;

export interface CollectedFile {
  /** Path relative to the root, with `/` on every system. */
  readonly path: string;
  readonly bytes: Buffer;
}

export interface Collected {
  readonly files: CollectedFile[];
  /** Sentences about links and unreadable files. */
  readonly leftOut: string[];
  /** Reason, as a sentence, why no file can be used. */
  readonly fault?: string;
}

/** Reads the files; sorted by name, because results are compared. @param starts files or folders in the root; missing ones are skipped */
export async function collectFiles(root: string, starts: readonly string[]): Promise<Collected> {
  const files: CollectedFile[] = [];
  const leftOut: string[] = [];
  let bytes = 0;
  let fault: string | undefined;

  async function take(path: string): Promise<void> {
    if (fault !== undefined) return;
    if (files.length >= maxFiles) return void (fault = `It has more than ${maxFiles} files, too many for a review.`);
    const content = await readPlain(join(root, path), maxBytes - bytes);
    if (content === 'too large') return void (fault = `It has more than ${maxBytes / 1024 / 1024} MB, too much for a review.`);
    if (content === undefined) return void leftOut.push(`${path} is a link or cannot be read.`);
    bytes += content.length;
    files.push({ path, bytes: content });
  }

  async function walk(path: string, depth: number): Promise<void> {
    const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const inner = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.name === '.git') continue;
      if (!entry.isDirectory()) await take(inner);
      else if (depth < maxDepth) await walk(inner, depth + 1);
      else fault ??= `Its folders are nested more than ${maxDepth} levels deep.`;
    }
  }

  for (const start of starts) {
    const way = start.split('/');
    const parent = await readdir(join(root, way.slice(0, -1).join('/')), { withFileTypes: true }).catch(() => []);
    const entry = start === '' ? 'root' : parent.find(({ name }) => name === way.at(-1));
    if (entry === 'root' || entry?.isDirectory() === true) await walk(start, way.length);
    else if (entry) await take(start);
  }
  return { files, leftOut, ...(fault === undefined ? {} : { fault }) };
}

/** Reads a regular file; returns `undefined` for links, pipes and unreadable files. */
async function readPlain(path: string, limit: number): Promise<Buffer | 'too large' | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = await file.stat();
      if (!stats.isFile()) return undefined;
      return stats.size > limit ? 'too large' : await file.readFile();
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

/**
 * Returns a string that changes when the files change. It runs before each turn and each hook, so it compares only the stamps of files and folders, not
 * contents.
 */
export function collectedStamp(root: string, paths: Iterable<string>): string {
  const stamps = new Map<string, string>();
  for (const path of paths) {
    const parts = path.split('/');
    let above = root;
    for (let length = 0; length <= parts.length && above !== ''; length++) {
      const part = parts.slice(0, length).join('/');
      above = stamps.get(part) ?? fileStamp(join(root, part));
      stamps.set(part, above);
    }
  }
  return [...stamps].flat().join('\n');
}

/** Returns the digest to which a trust decision refers: SHA-256, in hex, over the paths and contents. */
export function collectedDigest(files: readonly CollectedFile[]): string {
  const rows = files.map(({ path, bytes }) => `${sha256(bytes)} ${path}`).sort();
  return sha256(rows.join('\n'));
}

/** Returns the file contents by path. */
export function collectedTexts(files: readonly CollectedFile[]): ReadonlyMap<string, string> {
  return new Map(files.map(({ path, bytes }) => [path, bytes.toString('utf8')]));
}
