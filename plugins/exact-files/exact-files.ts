// Accesses files in workspaces that programs change concurrently: opens the entry at exactly the given path, or fails.
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { open, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hasCode, isMissing } from '#lib/errors';
import { textStart } from '#lib/text';
import type { ExactFile, ExactFiles, FileIdentity } from 'agent-harness/plugins/exact-files';

/** Linux flag O_PATH, with the same value on every architecture that Node supports: opens a descriptor of the location without opening the file. */
const placeOnly = 0x200000;
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_DIRECTORY = 0 } = constants;

/** Method of finding the real location of a descriptor. */
export type LocationMethod = 'descriptors' | 'identities';

/** Returns the location method for this system: Linux resolves names relative to the path of a descriptor; other systems compare file identities. */
export function locationMethod(): LocationMethod {
  return process.platform === 'linux' && existsSync('/proc/self/fd') ? 'descriptors' : 'identities';
}

/** An open folder. `at`: a path to the folder that stays valid even if parent folders change. */
interface Folder {
  readonly at: string;
  close(): void;
}

export function createExactFiles(method: LocationMethod = locationMethod()): ExactFiles {
  const byDescriptor = method === 'descriptors';

  function openPlace(path: string, flags: number): number {
    const descriptor = openSync(path, placeOnly | O_NOFOLLOW | flags);
    try {
      if (readlinkSync(pathOf(descriptor)) !== path) throw moved(path);
      return descriptor;
    } catch (fault) {
      closeSync(descriptor);
      throw fault;
    }
  }

  function openFile(path: string, decided?: FileIdentity): ExactFile {
    const descriptor = byDescriptor ? openThrough(path) : openNoLink(path);
    try {
      const stats = fstatSync(descriptor);
      if (!byDescriptor) compare(path, stats, decided);
      return { descriptor, stats };
    } catch (fault) {
      closeSync(descriptor);
      throw fault;
    }
  }

  function openNoLink(path: string): number {
    try {
      return openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    } catch (fault) {
      throw hasCode(fault, 'ELOOP') ? moved(path) : fault;
    }
  }

  function openThrough(path: string): number {
    const place = openPlace(path, 0);
    try {
      // Opening a device would activate it, and a link is not the requested file.
      if (fstatSync(place).isSymbolicLink()) throw moved(path);
      return openSync(pathOf(place), O_RDONLY | O_NONBLOCK);
    } finally {
      closeSync(place);
    }
  }

  function statExactly(path: string): Stats {
    if (!byDescriptor) {
      const stats = lstatSync(path);
      if (realpathSync.native(dirname(path)) !== dirname(path)) throw moved(path);
      return stats;
    }
    const place = openPlace(path, 0);
    try {
      return fstatSync(place);
    } finally {
      closeSync(place);
    }
  }

  function openFolder(path: string): Folder {
    if (!byDescriptor) {
      if (realpathSync.native(path) !== path) throw moved(path);
      return { at: path, close: () => undefined };
    }
    try {
      const descriptor = openPlace(path, O_DIRECTORY);
      return { at: pathOf(descriptor), close: () => closeSync(descriptor) };
    } catch (fault) {
      throw hasCode(fault, 'ENOTDIR', 'ELOOP') ? moved(path) : fault;
    }
  }

  /** Opens a folder. Creates missing folders, each inside its open parent. */
  function makeFolder(path: string): Folder {
    try {
      return openFolder(path);
    } catch (fault) {
      if (!isMissing(fault) || dirname(path) === path) throw fault;
    }
    const parent = makeFolder(dirname(path));
    try {
      mkdirSync(join(parent.at, basename(path)));
    } catch (fault) {
      if (!hasCode(fault, 'EEXIST')) throw fault;
    } finally {
      parent.close();
    }
    return openFolder(path);
  }

  async function inFolder<T>(folder: Folder, work: (at: string) => Promise<T>): Promise<T> {
    try {
      return await work(folder.at);
    } finally {
      folder.close();
    }
  }

  return {
    open: openFile,
    close: ({ descriptor }) => closeSync(descriptor),
    readSmall,
    stat: statExactly,
    list: (path) => {
      const folder = openFolder(path);
      try {
        return readdirSync(folder.at, { withFileTypes: true });
      } finally {
        folder.close();
      }
    },
    within: async (path, work) => inFolder(openFolder(path), work),
    replace: (path, content, { mode, like } = {}) =>
      inFolder(makeFolder(dirname(path)), async (at) => {
        const temporary = join(at, `.${textStart(basename(path), 40)}.${randomBytes(6).toString('hex')}.tmp`);
        try {
          const file = await open(temporary, 'wx', mode ?? (like ? like.mode & 0o777 : 0o666));
          try {
            // Without descriptors, the worst case is an empty file in the wrong place.
            if (!byDescriptor && realpathSync.native(temporary) !== join(dirname(path), basename(temporary))) throw moved(path);
            await file.writeFile(content);
            if (mode !== undefined) fchmodSync(file.fd, mode);
            else if (like) keepOwnerAndMode(file.fd, like);
            await file.sync();
          } finally {
            await file.close();
          }
          await rename(temporary, join(at, basename(path)));
        } catch (fault) {
          await rm(temporary, { force: true });
          throw fault;
        }
        syncFolder(at);
      }),
    remove: (path) => inFolder(openFolder(dirname(path)), (at) => rm(join(at, basename(path)), { force: true })),
    removeFolder: (path) => inFolder(openFolder(dirname(path)), (at) => rmdir(join(at, basename(path)))),
  };
}

function readSmall(path: string, maxBytes: number): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, O_RDONLY | O_NONBLOCK);
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > maxBytes) return undefined;
    // One byte more than the size, because the file may grow in the meantime and some file systems do not report sizes.
    const room = Math.min(maxBytes, Math.max(stats.size, 64 * 1024));
    const bytes = Buffer.allocUnsafe(room + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) read = readSync(descriptor, bytes, length, bytes.length - length, null);
    return length > room ? undefined : bytes.toString('utf8', 0, length);
  } catch {
    return undefined; // missing, or not readable by the server
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function pathOf(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}

/** Throws unless the open file is the one that was checked or, if its identity is not given, the one at the path. */
function compare(path: string, opened: Stats, decided: FileIdentity | undefined): void {
  const expected = decided ?? (realpathSync.native(path) === path ? lstatSync(path) : undefined);
  if (opened.dev !== expected?.dev || opened.ino !== expected.ino) throw moved(path);
}

function moved(path: string): Error {
  return Object.assign(new Error(`EMOVED: '${path}' was moved, or replaced by a link.`), { code: 'EMOVED', path });
}

function keepOwnerAndMode(descriptor: number, like: Stats): void {
  const made = fstatSync(descriptor);
  if (made.uid !== like.uid || made.gid !== like.gid) {
    try {
      fchownSync(descriptor, like.uid, like.gid);
    } catch {
      // only a privileged process may change the owner
    }
  }
  fchmodSync(descriptor, like.mode & 0o7777);
}

function syncFolder(at: string): void {
  try {
    const descriptor = openSync(join(at, '.'), O_RDONLY);
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Not all systems can flush a folder; the content of the file is already on disk.
  }
}
