// Encodes the body of a provider request as a document or a form, and reads files piece by piece while sending.
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { ProviderBody, SentFile } from './contract.ts';

export interface EncodedBody {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | Readable;
}

/** A file at its position in the body. */
interface FilePiece extends SentFile {
  readonly isBase64: boolean;
}
type Piece = Buffer | FilePiece;

/** Number of bytes per read; a multiple of three, because three bytes become four base64 characters. */
const readBytes = 3 * 64 * 1024;

/** Encodes a body. @param onSent called after each sent part of a file */
export async function encodeBody(body: ProviderBody, onSent: () => void): Promise<EncodedBody> {
  return 'json' in body ? encodeJson(body, onSent) : encodeForm(body.form, onSent);
}

function encodeJson({ json, files = {} }: Extract<ProviderBody, { readonly json: object }>, onSent: () => void): EncodedBody {
  const headers = { 'content-type': 'application/json' };
  const text = JSON.stringify(json);
  if (Object.keys(files).length === 0) return { headers, body: text };
  const places = Object.entries(files).map(([name, file]) => ({ mark: JSON.stringify(name).slice(1, -1), piece: { ...file, isBase64: true } }));
  return streamed(headers, split(Buffer.from(text), places), onSent);
}

async function encodeForm(parts: Extract<ProviderBody, { readonly form: unknown }>['form'], onSent: () => void): Promise<EncodedBody> {
  const form = new FormData();
  const places: { readonly mark: string; readonly piece: FilePiece }[] = [];
  for (const { name, value } of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([contentOf(value, places)], { type: value.mimeType }), value.fileName);
  }
  // Node encodes the form, including names and boundary; then the files replace their placeholders.
  const encoded = new Response(form);
  const bytes = Buffer.from(await encoded.arrayBuffer());
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
  return places.length === 0 ? { headers, body: bytes } : streamed(headers, split(bytes, places), onSent);
}

function contentOf(value: { readonly bytes: Uint8Array } | { readonly file: SentFile }, places: { mark: string; piece: FilePiece }[]): BlobPart {
  if ('bytes' in value) return value.bytes as Uint8Array<ArrayBuffer>;
  const mark = randomBytes(24).toString('hex');
  places.push({ mark, piece: { ...value.file, isBase64: false } });
  return mark;
}

/** Splits the bytes at each placeholder, and inserts its file there. */
function split(bytes: Buffer, places: readonly { readonly mark: string; readonly piece: FilePiece }[]): Piece[] {
  const found = places.map(({ mark, piece }) => ({ at: bytes.indexOf(mark), length: Buffer.byteLength(mark), piece })).sort((a, b) => a.at - b.at);
  const pieces: Piece[] = [];
  let end = 0;
  for (const { at, length, piece } of found) {
    if (at < end) throw new Error('the body contains no placeholder for one of its files');
    pieces.push(bytes.subarray(end, at), piece);
    end = at + length;
  }
  return [...pieces, bytes.subarray(end)];
}

function streamed(headers: EncodedBody['headers'], pieces: readonly Piece[], onSent: () => void): EncodedBody {
  const length = pieces.reduce((sum, piece) => sum + lengthOf(piece), 0);
  return { headers: { ...headers, 'content-length': String(length) }, body: Readable.from(bytesOf(pieces, onSent), { objectMode: false }) };
}

function lengthOf(piece: Piece): number {
  if (Buffer.isBuffer(piece)) return piece.length;
  return piece.isBase64 ? Math.ceil(piece.size / 3) * 4 : piece.size;
}

async function* bytesOf(pieces: readonly Piece[], onSent: () => void): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    if (Buffer.isBuffer(piece)) {
      if (piece.length > 0) yield piece;
      continue;
    }
    for await (const chunk of piece.isBase64 ? inBase64(rawOf(piece)) : rawOf(piece)) {
      yield chunk;
      onSent();
    }
  }
}

/** Yields the content of a file. Fails if its length changed, because a header already states the length. */
async function* rawOf({ path, size }: SentFile): AsyncGenerator<Buffer> {
  let left = size;
  for await (const chunk of createReadStream(path, { highWaterMark: readBytes }) as AsyncIterable<Buffer>) {
    left -= chunk.length;
    if (left < 0) break;
    yield chunk;
  }
  if (left !== 0) throw new Error('the file changed while it was sent');
}

async function* inBase64(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % 3);
    rest = Buffer.from(bytes.subarray(whole));
    yield Buffer.from(bytes.toString('base64', 0, whole), 'latin1');
  }
  if (rest.length > 0) yield Buffer.from(rest.toString('base64'), 'latin1');
}
