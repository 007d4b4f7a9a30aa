// Determines the kind of a response from its Content-Type, or, if that is unspecific, from its first bytes.
import { decodeLabel } from '#lib/text-decoding';
import { charsetOf, markedCharset } from './charset.ts';

/** Kind of a reply; `unknown`: the first bytes decide. */
export type ContentKind = 'html' | 'json' | 'text' | 'pdf' | 'binary' | 'unknown';

/** @param contentType value of the header */
export function kindOf(contentType: string): ContentKind {
  const type = mediaType(contentType);
  if (type === '' || type === 'application/octet-stream' || type === 'binary/octet-stream') return 'unknown';
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  if (type === 'application/pdf' || type === 'application/x-pdf') return 'pdf';
  if (type === 'application/json' || type === 'text/json' || type.endsWith('+json')) return 'json';
  if (type.startsWith('text/') || type.endsWith('+xml') || type.endsWith('+yaml') || textTypes.has(type)) return 'text';
  return 'binary';
}

const textTypes: ReadonlySet<string> = new Set([
  'application/xml',
  'application/yaml',
  'application/x-yaml',
  'application/toml',
  'application/javascript',
  'application/x-javascript',
  'application/ecmascript',
  'application/typescript',
  'application/x-sh',
  'application/sql',
  'application/graphql',
  'application/x-ndjson',
  'application/jsonl',
  'application/rtf',
  'application/x-tex',
]);

/** Returns `text/html` for `text/html; charset=utf-8`. */
export function mediaType(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}

/** Detects the kind of a reply without a specific type by its first bytes. */
export function sniff(bytes: Uint8Array): Exclude<ContentKind, 'unknown'> {
  if (isPdf(bytes)) return 'pdf';
  const head = bytes.subarray(0, 1024);
  const marked = markedCharset(head);
  if (marked === undefined && head.includes(0)) return 'binary';
  const start = new TextDecoder(marked).decode(head).trimStart().toLowerCase();
  if (/^<(!doctype html|html|head|body|title)\b/.test(start)) return 'html';
  return start.startsWith('{') || start.startsWith('[') ? 'json' : 'text';
}

export function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).includes('%PDF-');
}

/** Decodes a text; invalid bytes become U+FFFD. */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const declared = kindOf(contentType);
  const text = decodeLabel(charsetOf(bytes, contentType, (declared === 'unknown' ? sniff(bytes) : declared) === 'html'), bytes);
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
