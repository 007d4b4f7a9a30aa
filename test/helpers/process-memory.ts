// Searches the memory of a process (Linux), or the files of a folder, for given texts.
import { open, readdir, readFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

const piece = 16 * 1024 * 1024;

/**
 * Returns the texts that are present in either of the two string encodings. Takes seconds, during which the event loop keeps running: do not write to
 * connections that the other side may close meanwhile.
 * @param beginning common prefix of all texts
 */
export async function textsInMemory(pid: number, beginning: string, texts: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  const file = await open(`/proc/${pid}/mem`, 'r');
  const buffer = Buffer.alloc(piece);
  try {
    for (const line of (await readFile(`/proc/${pid}/maps`, 'utf8')).split('\n')) {
      const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
      if (from === undefined || to === undefined) continue;
      const end = Number.parseInt(to, 16);
      for (let at = Number.parseInt(from, 16); at < end; at += piece) {
        const bytes = await readAt(file, buffer, at, Math.min(piece, end - at));
        if (bytes) for (const text of textsIn(bytes, beginning, texts)) found.add(text);
      }
    }
  } finally {
    await file.close();
  }
  return [...found];
}

/** All texts have a common prefix, so one search is enough if it is absent. */
function textsIn(bytes: Buffer, beginning: string, texts: readonly string[]): string[] {
  if (!bytes.includes(beginning) && !bytes.includes(Buffer.from(beginning, 'utf16le'))) return [];
  return texts.filter((text) => bytes.includes(text) || bytes.includes(Buffer.from(text, 'utf16le')));
}

async function readAt(file: FileHandle, buffer: Buffer, at: number, length: number): Promise<Buffer | undefined> {
  try {
    return buffer.subarray(0, (await file.read(buffer, 0, length, at)).bytesRead);
  } catch {
    return undefined; // guard page
  }
}

export async function textsInFolder(folder: string, texts: readonly string[]): Promise<string[]> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const contents = await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1')));
  return texts.filter((text) => contents.some((content) => content.includes(text)));
}
