// Compresses what compresses, once for each encoding, for clients that take it.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

/** Smaller ones gain nothing. */
const minBytes = 1024;
/** The best level takes most of a second for a large script; this one is a few percent larger. */
const brotliQuality = 9;

/** The best of ours that `Accept-Encoding` takes. */
export function pickEncoding(accepted: string | readonly string[] | undefined, bytes: number): Encoding | undefined {
  if (bytes < minBytes) return undefined;
  const taken = new Map<string, boolean>();
  for (const part of String(accepted ?? '').split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    taken.set(name, !parameters.some((text) => /^q=0(\.0*)?$/.test(text)));
  }
  return (['br', 'gzip'] as const).find((encoding) => taken.get(encoding) ?? taken.get('*'));
}

export function compressAs(encoding: Encoding, content: Buffer): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(content, { level: 9 });
  return promisify(brotliCompress)(content, {
    params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality, [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength },
  });
}
