// Makes the body of a call: JSON, a form, parts with files of the workspace, or a text.
import { randomBytes } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import type { Built } from './build-request.ts';
import { formText, plainText } from './serialize-parameter.ts';
import { isRecord, type BodyPlan } from './table.ts';

export interface Body {
  readonly contentType: string;
  readonly content: string | Uint8Array;
}

/** Of all files of one call. */
const maxFileBytes = 10 * 1024 * 1024;

export async function buildBody(plan: BodyPlan, value: unknown, workspaceRoot: string): Promise<Built<Body>> {
  const { kind, mediaType, files } = plan;
  if (kind === 'json') return { ok: true, value: { contentType: mediaType, content: JSON.stringify(value) } };
  if (kind === 'text') return { ok: true, value: { contentType: `${mediaType}; charset=utf-8`, content: plainText(value) } };
  if (kind === 'file') {
    const read = await readInside(plainText(value), workspaceRoot, maxFileBytes);
    return read.ok ? { ok: true, value: { contentType: mediaType, content: read.value } } : read;
  }
  if (!isRecord(value)) return { ok: false, error: 'The body must be an object: it is sent as a form.' };
  if (kind === 'form') return { ok: true, value: { contentType: mediaType, content: formText(value) } };
  return buildParts(value, files, workspaceRoot);
}

/** RFC 7578. */
async function buildParts(body: Readonly<Record<string, unknown>>, files: readonly string[], workspaceRoot: string): Promise<Built<Body>> {
  const boundary = randomBytes(24).toString('hex');
  const chunks: Buffer[] = [];
  let room = maxFileBytes;
  for (const [name, value] of Object.entries(body)) {
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
      const isFile = files.includes(name);
      const read = isFile ? await readInside(plainText(item), workspaceRoot, room) : undefined;
      if (read && !read.ok) return read;
      const content = read?.value ?? Buffer.from(plainText(item));
      if (isFile) room -= content.length;
      const fileName = isFile ? `; filename="${quoted(basename(plainText(item)))}"` : '';
      const type = isFile ? '\r\ncontent-type: application/octet-stream' : isRecord(item) ? '\r\ncontent-type: application/json' : '';
      chunks.push(
        Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"${fileName}${type}\r\n\r\n`),
        content,
        Buffer.from('\r\n'),
      );
    }
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`));
  return { ok: true, value: { contentType: `multipart/form-data; boundary=${boundary}`, content: Buffer.concat(chunks) } };
}

function quoted(name: string): string {
  return name.replace(/["\r\n]/g, encodeURIComponent);
}

/** A file that really lies in the workspace, links followed. */
async function readInside(path: string, workspaceRoot: string, limit: number): Promise<Built<Buffer>> {
  const shown = path.slice(0, 200);
  if (path === '' || path.includes('\0')) return { ok: false, error: 'The body names no file.' };
  try {
    const root = await realpath(workspaceRoot);
    const real = await realpath(resolve(root, path));
    const way = relative(root, real);
    if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
      return { ok: false, error: `${shown} is not in the workspace, and only files of the workspace are sent.` };
    const found = await stat(real);
    if (!found.isFile()) return { ok: false, error: `${shown} is no file.` };
    if (found.size > limit) return { ok: false, error: `${shown} has ${found.size} bytes; the files of one call may have ${maxFileBytes} together.` };
    return { ok: true, value: await readFile(real) };
  } catch {
    return { ok: false, error: `There is no file ${shown} in the workspace that can be read.` };
  }
}
