// Puts a whole file in place at once: temporary file beside it, fsync, rename.
import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Keeps mode and owner of what was there; a hard link is broken, so that its other names keep their content. */
export async function replaceFile(path: string, content: Uint8Array, previous?: Stats): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path).slice(0, 40)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const handle = await open(temporary, 'wx', previous ? previous.mode & 0o777 : 0o666);
    try {
      await handle.writeFile(content);
      if (previous) await keepOwnerAndMode(handle, previous);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (fault) {
    await rm(temporary, { force: true });
    throw fault;
  }
  await syncFolder(dirname(path));
}

async function keepOwnerAndMode(handle: FileHandle, previous: Stats): Promise<void> {
  const made = await handle.stat();
  if (made.uid !== previous.uid || made.gid !== previous.gid) {
    await handle.chown(previous.uid, previous.gid).catch(() => undefined); // only a privileged process may give files away
  }
  await handle.chmod(previous.mode & 0o7777);
}

async function syncFolder(path: string): Promise<void> {
  try {
    const handle = await open(path, 'r');
    await handle.sync().finally(() => handle.close());
  } catch {
    // Not every system can flush a folder; the file's content is on the disk already.
  }
}
