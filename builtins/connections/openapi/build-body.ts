// Makes the body of a call: JSON, a form, parts with files of the workspace, or a text.
import { randomBytes } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import type { Built } from './build-request.ts';
import { fieldStyle, formPairs, type Pair, plainText } from './serialize-parameter.ts';
import { fieldOf, isRecord, type BodyPlan, type FieldEncoding, type Json } from './table.ts';

export interface Body {
  readonly contentType: string;
  readonly content: string | Uint8Array;
}

/** Of all files of one call. */
const maxFileBytes = 10 * 1024 * 1024;

export async function buildBody(plan: BodyPlan, value: unknown, workspaceRoot: string): Promise<Built<Body>> {
  const { kind, mediaType } = plan;
  if (kind === 'json') return { ok: true, value: { contentType: mediaType, content: JSON.stringify(value) } };
  if (kind === 'text') return { ok: true, value: { contentType: `${mediaType}; charset=utf-8`, content: plainText(value) } };
  if (kind === 'file') {
    const read = await readInside(plainText(value), workspaceRoot, maxFileBytes);
    return read.ok ? { ok: true, value: { contentType: mediaType, content: read.value } } : read;
  }
  if (!isRecord(value)) return { ok: false, error: 'The body must be an object: it is sent as a form.' };
  return kind === 'form' ? { ok: true, value: { contentType: mediaType, content: formText(value, plan) } } : buildParts(value, plan, workspaceRoot);
}

function encodingOf({ encodings }: BodyPlan, name: string): FieldEncoding {
  return (fieldOf(encodings, name) as FieldEncoding | undefined) ?? {};
}

const isJsonType = (type: string | undefined): boolean => type !== undefined && /[/+]json(;|$)/.test(type);

/** `application/x-www-form-urlencoded`. */
function formText(body: Json, plan: BodyPlan): string {
  return Object.entries(body)
    .flatMap(([name, value]): readonly Pair[] => {
      const { style, isExploded = false, contentType } = encodingOf(plan, name);
      if (style !== undefined) return formPairs({ name, style, isExploded }, value, encodeURIComponent);
      return isJsonType(contentType) ? [[name, encodeURIComponent(JSON.stringify(value))]] : formPairs(fieldStyle(name, value), value, encodeURIComponent);
    })
    .map(([name, text]) => `${encodeURIComponent(name)}=${text}`)
    .join('&');
}

/** RFC 7578. */
async function buildParts(body: Json, plan: BodyPlan, workspaceRoot: string): Promise<Built<Body>> {
  const boundary = randomBytes(24).toString('hex');
  const chunks: Buffer[] = [];
  let room = maxFileBytes;
  const add = (name: string, about: string, type: string | undefined, content: Uint8Array): void => {
    const typeLine = type === undefined ? '' : `\r\ncontent-type: ${type}`;
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"${about}${typeLine}\r\n\r\n`;
    chunks.push(Buffer.from(head), Buffer.from(content), Buffer.from('\r\n'));
  };
  for (const [name, value] of Object.entries(body)) {
    const { style, isExploded = false, contentType } = encodingOf(plan, name);
    if (plan.files.includes(name)) {
      for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
        const read = await readInside(plainText(item), workspaceRoot, room);
        if (!read.ok) return read;
        room -= read.value.length;
        add(name, `; filename="${quoted(basename(plainText(item)))}"`, contentType ?? 'application/octet-stream', read.value);
      }
    } else if (style !== undefined) {
      for (const [field, text] of formPairs({ name, style, isExploded }, value, (part) => part)) add(field, '', undefined, Buffer.from(text));
    } else if (isJsonType(contentType)) add(name, '', contentType, Buffer.from(JSON.stringify(value)));
    else {
      for (const item of Array.isArray(value) ? (value as unknown[]) : [value])
        add(name, '', contentType ?? (typeof item === 'object' && item !== null ? 'application/json' : undefined), Buffer.from(plainText(item)));
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
