// Reads archives in the format of `npm pack` (tar, gzip): only regular files with plain names, up to a size that users can review.
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { failure } from '#lib/errors';
import { textStart } from '#lib/text';

/** Content by path; paths use `/` and are relative to the folder that contains all files. */
export type Files = ReadonlyMap<string, Uint8Array>;

/** Limits of a plugin; `bytes` also limits the unpacked size of an archive including its headers. */
export const limits = { files: 500, bytes: 4 * 1024 * 1024, archiveBytes: 8 * 1024 * 1024, depth: 8 } as const;

const block = 512;

/** Excludes path traversal, hidden files, and names that some operating systems reserve. */
const segment = /^(?!\.)(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))[\w.@+ -]{1,100}(?<![. ])$/i;

/** Throws an error with a readable message if a name is forbidden, or if there are too many or too large files. */
export function checkFiles(files: Files): void {
  const seen = new Set<string>();
  let bytes = 0;
  for (const [name, content] of files) {
    const parts = name.split('/');
    if (parts.length > limits.depth || parts.some((part) => !segment.test(part)))
      throw failure(`It has a file with the forbidden name '${textStart(name, 200)}'.`);
    // Case-insensitive file systems treat names that differ only in case as equal.
    const plain = name.toLowerCase();
    if (seen.has(plain)) throw failure(`It contains '${name}' twice.`);
    seen.add(plain);
    bytes += content.byteLength;
  }
  for (const name of seen) {
    const parts = name.split('/');
    if (parts.some((_, at) => at > 0 && seen.has(parts.slice(0, at).join('/')))) throw failure(`'${name}' is inside a path that is a file.`);
  }
  if (seen.size > limits.files) throw failure(`It has more than ${limits.files} files, too many to review.`);
  if (bytes > limits.bytes) throw failure(`It has more than ${limits.bytes / 1024 / 1024} MB, too much to review.`);
}

function sumOf(header: Uint8Array): number {
  return header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0);
}

/** Returns the files in the single top-level folder of an archive, without hidden files. Rejects with a readable message; writes nothing. */
export async function readArchive(archive: Uint8Array): Promise<Map<string, Uint8Array>> {
  if (archive.byteLength > limits.archiveBytes) throw failure(`The archive has more than ${limits.archiveBytes / 1024 / 1024} MB.`);
  const maxOutputLength = limits.bytes + 3 * block * limits.files;
  const tar = await promisify(gunzip)(archive, { maxOutputLength }).catch((cause: Error & { readonly code?: string }) => {
    const isLarge = cause.code === 'ERR_BUFFER_TOO_LARGE';
    throw failure(isLarge ? `It unpacks to more than ${limits.bytes / 1024 / 1024} MB, too much to review.` : 'It is not an archive (.tgz), or it is damaged.');
  });
  const files = new Map<string, Uint8Array>();
  let longName: string | undefined;
  for (let at = 0; at + block <= tar.length;) {
    const header = tar.subarray(at, at + block);
    if (header.every((byte) => byte === 0)) break;
    if (sumOf(header) !== numberAt(header, 148, 8)) throw failure('The archive is damaged: a header has a wrong checksum.');
    const size = numberAt(header, 124, 12);
    const content = tar.subarray(at + block, at + block + size);
    if (content.length < size) throw failure('The archive is incomplete.');
    at += block + Math.ceil(size / block) * block;
    const kind = String.fromCharCode(header[156] || 48);
    const name = longName ?? [textAt(header, 345, 155), textAt(header, 0, 100)].filter((part) => part !== '').join('/');
    longName = undefined;
    if (kind === 'x') longName = pathIn(content);
    else if (kind === '0') add(files, name, content);
    else if (kind !== '5' && kind !== 'g') throw failure(`It contains '${textStart(name, 200)}', which is not a regular file: a link or a device.`);
  }
  checkFiles(files);
  return files;
}

function add(files: Map<string, Uint8Array>, name: string, content: Uint8Array): void {
  const inner = /^(?:\.\/)?[^/]+\/(.+)$/.exec(name)?.[1];
  if (inner === undefined || name.startsWith('/') || name.startsWith('../')) throw failure(`It contains '${textStart(name, 200)}' outside of its folder.`);
  if (files.has(inner)) throw failure(`It contains '${textStart(inner, 200)}' twice.`);
  if (files.size >= limits.files) throw failure(`It has more than ${limits.files} files, too many to review.`);
  if (!/(^|\/)\.(?!\.?(\/|$))/.test(inner)) files.set(inner, content);
}

/** Returns the path in an extended header, whose records have the form `length key=value\n`. */
function pathIn(content: Uint8Array): string | undefined {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(Buffer.from(content).toString('utf8'))?.[1];
}

function textAt(header: Uint8Array, at: number, length: number): string {
  const end = header.subarray(at, at + length).indexOf(0);
  return Buffer.from(header.subarray(at, at + (end < 0 ? length : end))).toString('utf8');
}

function numberAt(header: Uint8Array, at: number, length: number): number {
  const digits = textAt(header, at, length).trim();
  if (!/^[0-7]{1,12}$/.test(digits)) throw failure('The archive is damaged: a number in a header is invalid.');
  return Number.parseInt(digits, 8);
}
