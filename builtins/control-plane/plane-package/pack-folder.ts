// Packs a plugin folder into one archive with reproducible bytes.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zipSync, type Zippable } from 'fflate';

/** Maximum number of files, total size of all files, and size of the archive; the receiving service enforces the same limits. */
export const limits = { files: 5_000, bytes: 256 * 1024 * 1024, archiveBytes: 64 * 1024 * 1024 } as const;

/** Date of all files in the archive, just after the earliest date that the archive format supports. */
const madeAt = new Date('1980-01-02T00:00:00Z');
const fileName = /^(?!\.\.?$)[\w.@+ -]{1,200}$/;

/** Returns the archive. Rejects with a readable message about files that cannot be packed. */
export async function packFolder(dir: string): Promise<Uint8Array> {
  const files: Zippable = {};
  let bytes = 0;
  let count = 0;

  async function add(folder: string, prefix: string): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const name = prefix + entry.name;
      if (!fileName.test(entry.name)) throw new Error(`'${name}' has a name that some systems do not support. Rename it.`);
      if (entry.isDirectory()) await add(join(folder, entry.name), `${name}/`);
      else if (!entry.isFile()) throw new Error(`'${name}' is a link or a device. Replace it with a file.`);
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
  if (!hasPlugin) throw new Error('It contains no plugin: a file that ends in .mjs or .js, or a folder with an index.mjs or index.js.');
  const archive = zipSync(files);
  if (archive.byteLength > limits.archiveBytes) throw new Error(`A package has at most ${limits.archiveBytes / 1_048_576} MB in packed form.`);
  return archive;
}
