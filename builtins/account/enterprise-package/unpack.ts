// Unpacks the archive of an enterprise package into a new folder; allows only regular files inside the folder.
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { flushFolder } from '#lib/files';
import { textStart } from '#lib/text';

/** Limits of an archive: number of files, unpacked size in bytes, and depth of the folders. */
export const limits = { files: 5_000, bytes: 256 * 1024 * 1024, depth: 20 } as const;

/** Excludes path traversal, hidden files, and names that some operating systems reserve. */
const segment = /^(?!\.)(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))[\w.@+ -]{1,200}(?<![. ])$/i;

/** Unpacks an archive. Rejects with an error that describes the problem. @param folder absolute path; must not exist */
export async function unpack(archive: Uint8Array, folder: string): Promise<void> {
  const files = filesOf(archive);
  await mkdir(folder, { mode: 0o700 });
  const folders = new Set([folder]);
  for (const [name, content] of files) {
    const path = join(folder, ...name.split('/'));
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    for (let at = dirname(path); at !== folder; at = dirname(at)) folders.add(at);
    const handle = await open(path, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
  for (const one of folders) await flushFolder(one);
}

/** Returns the files of an archive by path. Checks all names and sizes before unpacking; throws an error that describes the first problem. */
export function filesOf(archive: Uint8Array): Map<string, Uint8Array> {
  const seen = new Set<string>();
  let bytes = 0;
  const unpacked = unzipSync(archive, {
    filter({ name, originalSize }) {
      if (name.endsWith('/')) return false;
      const parts = name.split('/');
      if (parts.length > limits.depth || parts.some((part) => !segment.test(part)))
        throw new Error(`it contains a file with the forbidden name '${textStart(name, 200)}'.`);
      // Case-insensitive file systems treat these names as equal.
      const plain = name.toLowerCase();
      if (seen.has(plain)) throw new Error(`it contains '${name}' more than once.`);
      seen.add(plain);
      bytes += originalSize;
      if (seen.size > limits.files || bytes > limits.bytes) throw new Error('it exceeds the size limit of packages.');
      return true;
    },
  });
  const files = new Map(Object.entries(unpacked));
  for (const name of files.keys()) {
    const parts = name.toLowerCase().split('/');
    if (parts.some((_, at) => at > 0 && seen.has(parts.slice(0, at).join('/')))) throw new Error(`the path '${name}' leads through a file.`);
  }
  return files;
}
