// Reads the files that are to be uploaded: regular files inside the workspace, links followed.
import { open, realpath } from 'node:fs/promises';
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';

export interface Upload {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** All files together. */
const maxBytes = 20 * 1024 * 1024;

/** Read here and handed over as bytes, so that what a person approved by name cannot be another file a moment later. */
export async function readUploads(paths: readonly string[], workspaceRoot: string): Promise<Upload[]> {
  const root = await realpath(workspaceRoot);
  const uploads: Upload[] = [];
  let room = maxBytes;
  for (const path of paths) {
    const buffer = await readInside(path, root, room);
    room -= buffer.length;
    uploads.push({ name: basename(path), mimeType: 'application/octet-stream', buffer });
  }
  return uploads;
}

async function readInside(path: string, root: string, room: number): Promise<Buffer> {
  const real = await realpath(resolve(root, path)).catch(() => undefined);
  if (real === undefined) throw new Error(`There is no file ${path} in the workspace.`);
  const way = relative(root, real);
  if (way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
    throw new Error(`${path} is outside the workspace; only its files are uploaded.`);
  const file = await open(real, 'r');
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new Error(`${path} is not a file.`);
    if (stats.size > room) throw new Error(`The files are larger than ${maxBytes / 1024 / 1024} MB together.`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}
