// Prepares the reply of a route that returns bytes: caching headers, `Range` and downloads.
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FileReply, GrowingContent } from 'agent-harness/plugins/http';
import type { MakeError } from './errors.ts';

/**
 * Content security policy of files, which may contain untrusted HTML that must not run on this server's origin. A route that serves its own page sets another
 * policy.
 */
const sandboxed = "default-src 'none'; frame-ancestors 'none'; sandbox";

type WholeContent = Exclude<FileReply['content'], GrowingContent>;

/** Sets status and headers, and returns the payload; `undefined` for 304. Throws `RANGE_NOT_SATISFIABLE`. */
export function fileReply({ headers }: FastifyRequest, reply: FastifyReply, file: FileReply, makeError: MakeError): Buffer | Readable | undefined {
  const { content, type, tag, encoding, isImmutable, download } = file;
  void reply.headers({ 'content-type': type, 'content-security-policy': sandboxed });
  if ('stream' in content) {
    void reply.headers({ 'cache-control': 'no-store', ...file.headers });
    return content.stream;
  }
  const etag = tag === undefined ? undefined : `"${tag}"`;
  const isKnown = etag !== undefined && names(headers['if-none-match'], etag);
  // A client cannot decode a range of compressed content.
  const hasParts = encoding === undefined;
  const range = !isKnown && hasParts && isSame(headers['if-range'], etag) ? readRange(headers.range, content.byteLength) : undefined;
  if (range === 'outside') {
    close(content);
    void reply.header('content-range', `bytes */${content.byteLength}`);
    throw makeError('RANGE_NOT_SATISFIABLE', { bytes: content.byteLength });
  }
  void reply.headers({
    ...(etag === undefined ? {} : { etag }),
    ...(hasParts ? { 'accept-ranges': 'bytes' } : { 'content-encoding': encoding }),
    ...(isImmutable ? { 'cache-control': 'private, max-age=31536000, immutable' } : {}),
    ...(download === undefined ? {} : { 'content-disposition': `attachment; filename="${download.replace(/[^\w.-]/g, '_')}"` }),
    ...file.headers,
  });
  if (isKnown) {
    close(content);
    void reply.code(304);
    return undefined;
  }
  const { start, end } = range ?? { start: 0, end: content.byteLength - 1 };
  if (range) void reply.code(206).header('content-range', `bytes ${start}-${end}/${content.byteLength}`);
  return bytesOf(content, start, end, reply);
}

/**
 * Returns a range of the content. A stream closes its file handle when it ends and when the client disconnects. @param end position of the last byte, inclusive
 */
function bytesOf(content: WholeContent, start: number, end: number, reply: FastifyReply): Buffer | Readable {
  if (!('handle' in content)) return Buffer.from(content.buffer, content.byteOffset + start, end - start + 1);
  if (end >= start) return (void reply.header('content-length', end - start + 1), content.handle.createReadStream({ start, end }));
  close(content);
  return Buffer.alloc(0);
}

function close(content: WholeContent): void {
  if ('handle' in content) content.handle.close().catch(() => undefined); // Errors are ignored, because closing a file that was only read loses no data.
}

/** A byte range; both positions are inclusive. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** Parses a `Range` header. Returns `undefined` (the whole content) if the header has several ranges or cannot be parsed. @param bytes size of the content */
export function readRange(text: string | undefined, bytes: number): Range | 'outside' | undefined {
  const [, from = '', to = ''] = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(text ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  const last = bytes - 1;
  const [start, end] = from === '' ? [Math.max(0, bytes - Number(to)), last] : [Number(from), to === '' ? last : Math.min(Number(to), last)];
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  return start > last ? 'outside' : { start, end };
}

function names(list: string | undefined, etag: string): boolean {
  return list?.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, ''))) === true;
}

/** Returns whether `If-Range` allows a partial reply: the header is missing or names the current version. */
function isSame(asked: string | readonly string[] | undefined, etag: string | undefined): boolean {
  return asked === undefined || asked === etag;
}
