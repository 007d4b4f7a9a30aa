// Builds the body of a call: JSON, a form, multipart with workspace files, or text.
import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import type { WorkspaceFiles } from 'agent-harness/builtins/tools/files';
import { messageOf } from '#lib/errors';
import { textStart } from '#lib/text';
import { isRecord } from '#lib/values';
import type { ToolContext } from 'agent-harness/plugins/tools';
import type { Built } from './build-request.ts';
import { fieldStyle, formPairs, type Pair, plainText } from './serialize-parameter.ts';
import { fieldOf, type BodyPlan, type FieldEncoding, type Json } from './table.ts';

export interface Body {
  readonly contentType: string;
  readonly content: string | Uint8Array;
}

/** Access to the workspace files of a call. */
export interface FilePlace {
  readonly call: Pick<ToolContext, 'callId' | 'workspaceRoot'>;
  /** Omitted if no plugin provides access to files. */
  readonly files: WorkspaceFiles | undefined;
}

/** Maximum total size of all files of one call, in bytes. */
const maxFileBytes = 10 * 1024 * 1024;

export async function buildBody(plan: BodyPlan, value: unknown, place: FilePlace): Promise<Built<Body>> {
  const { kind, mediaType } = plan;
  if (kind === 'json') return { ok: true, value: { contentType: mediaType, content: JSON.stringify(value) } };
  if (kind === 'text') return { ok: true, value: { contentType: `${mediaType}; charset=utf-8`, content: plainText(value) } };
  if (kind === 'file') {
    const read = await readNamed(plainText(value), place, maxFileBytes);
    return read.ok ? { ok: true, value: { contentType: mediaType, content: read.value } } : read;
  }
  if (!isRecord(value)) return { ok: false, error: 'The body must be an object (sent as a form).' };
  return kind === 'form' ? { ok: true, value: { contentType: mediaType, content: formText(value, plan) } } : buildParts(value, plan, place);
}

/** Returns the files that a body refers to. */
export function filesIn(plan: BodyPlan, value: unknown): readonly string[] {
  if (plan.kind === 'file') return [plainText(value)];
  return isRecord(value) ? plan.files.flatMap((name) => (Object.hasOwn(value, name) ? itemsOf(value[name]).map(plainText) : [])) : [];
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [value];
}

function encodingOf({ encodings }: BodyPlan, name: string): FieldEncoding {
  return (fieldOf(encodings, name) as FieldEncoding | undefined) ?? {};
}

const isJsonType = (type: string | undefined): boolean => type !== undefined && /[/+]json(;|$)/.test(type);

/** Encodes a body as `application/x-www-form-urlencoded`. */
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

/** Builds a multipart body (RFC 7578). */
async function buildParts(body: Json, plan: BodyPlan, place: FilePlace): Promise<Built<Body>> {
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
      for (const item of itemsOf(value)) {
        const read = await readNamed(plainText(item), place, room);
        if (!read.ok) return read;
        room -= read.value.length;
        add(name, `; filename="${quoted(basename(plainText(item)))}"`, contentType ?? 'application/octet-stream', read.value);
      }
    } else if (style !== undefined) {
      for (const [field, text] of formPairs({ name, style, isExploded }, value, (part) => part)) add(field, '', undefined, Buffer.from(text));
    } else if (isJsonType(contentType)) add(name, '', contentType, Buffer.from(JSON.stringify(value)));
    else {
      for (const item of itemsOf(value))
        add(name, '', contentType ?? (typeof item === 'object' && item !== null ? 'application/json' : undefined), Buffer.from(plainText(item)));
    }
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`));
  return { ok: true, value: { contentType: `multipart/form-data; boundary=${boundary}`, content: Buffer.concat(chunks) } };
}

function quoted(name: string): string {
  return name.replace(/["\r\n]/g, encodeURIComponent);
}

/** Reads a file under the rules of the file tools. */
async function readNamed(path: string, { call, files }: FilePlace, limit: number): Promise<Built<Buffer>> {
  const shown = textStart(path, 200);
  if (path === '') return { ok: false, error: 'The body has no file.' };
  if (!files) return { ok: false, error: 'Files cannot be sent: the plugin that reads files is off.' };
  try {
    const content = await files.read(call, path, limit);
    if (!content) return { ok: false, error: `${shown} is too large; the limit for all files of a call is ${maxFileBytes} bytes.` };
    return { ok: true, value: content };
  } catch (fault) {
    return { ok: false, error: messageOf(fault) };
  }
}
