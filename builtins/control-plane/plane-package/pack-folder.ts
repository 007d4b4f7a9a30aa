// Packs a plugin folder into one archive with reproducible bytes.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zipSync, type Zippable } from 'fflate';

/** Limits of the receiving service. */
export const limits = { files: 5_000, bytes: 256 * 1024 * 1024, archiveBytes: 64 * 1024 * 1024 } as const;

/** Just after the earliest date of the archive format. */
const madeAt = new Date('1980-01-02T00:00:00Z');
const fileName = /^(?!\.\.?$)[\w.@+ -]{1,200}$/;

/** Rejects with a sentence about files that cannot be packed. */
export async function packFolder(dir: string): Promise<Uint8Array> {
  const files: Zippable = {};
  let bytes = 0;
  let count = 0;

  async function add(folder: string, way: string): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const name = way + entry.name;
      if (!fileName.test(entry.name)) throw new Error(`'${name}' has a name that not every system takes; rename it.`);
      if (entry.isDirectory()) await add(join(folder, entry.name), `${name}/`);
      else if (!entry.isFile()) throw new Error(`'${name}' is a link or a device; put a file in its place.`);
      else {
        const content = await readFile(join(folder, entry.name));
        bytes += content.byteLength;
        count += 1;
        if (bytes > limits.bytes || count > limits.files) throw new Error(`A package has at most ${limits.files} files and ${limits.bytes / 1_048_576} MB.`);
        files[name] = [new Uint8Array(content), { mtime: madeAt, level: 9 }];
      }
    }
  }

  await add(dir, '');
  const hasPlugin = Object.keys(files).some((name) => /^[^/]+\.m?js$|^[^/]+\/index\.m?js$/.test(name));
  if (!hasPlugin) throw new Error('There is no plugin in it: files that end in .mjs or .js, or folders with an index.mjs or index.js.');
  const archive = zipSync(files);
  if (archive.byteLength > limits.archiveBytes) throw new Error(`A package has at most ${limits.archiveBytes / 1_048_576} MB when it is packed.`);
  return archive;
}
