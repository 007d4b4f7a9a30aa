// Compresses content for HTTP clients with the best encoding that they accept.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

/** Minimum size, in bytes, of content that is compressed; smaller content does not become shorter. */
const minBytes = 1024;
/** Brotli levels. `best` takes almost a second for a large script; the result of `usual` is up to a tenth larger. */
const brotliQuality = { usual: 9, best: constants.BROTLI_MAX_QUALITY };

/** Returns the best supported encoding that `Accept-Encoding` allows. */
export function pickEncoding(accepted: string | readonly string[] | undefined, bytes: number): Encoding | undefined {
  if (bytes < minBytes) return undefined;
  const taken = new Map<string, boolean>();
  for (const part of String(accepted ?? '').split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    taken.set(name, !parameters.some((text) => /^q=0(\.0*)?$/.test(text)));
  }
  return (['br', 'gzip'] as const).find((encoding) => taken.get(encoding) ?? taken.get('*'));
}

/** Compresses content. @param level use `best` if no request is waiting for the result */
export function compressAs(encoding: Encoding, content: Buffer, level: 'usual' | 'best' = 'usual'): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(content, { level: 9 });
  return promisify(brotliCompress)(content, {
    params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality[level], [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength },
  });
}
