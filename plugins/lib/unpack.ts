// Decompresses the body of an HTTP reply, and detects truncated bodies.
import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { hasCode } from './errors.ts';

/** Returns the decompressed body. @param encoding value of the `Content-Encoding` header; if it is unknown, the body is returned unchanged */
export async function unpackBody(body: Readable, encoding: string): Promise<Readable> {
  let unpacked = body;
  // Decoding starts with the last encoding in the list, which was applied last.
  for (const name of encoding.toLowerCase().split(',').reverse()) {
    if (name.trim() === '' || name.trim() === 'identity') continue;
    const chunks = unpacked.iterator() as AsyncIterableIterator<Buffer>;
    const first = await chunks.next();
    if (first.done === true) return Readable.from([]);
    const whole = Readable.from(startingWith(first.value, chunks));
    const step = unpackerFor(name.trim(), first.value[0] ?? 0);
    // The last stream reports the errors of all stages.
    unpacked = step ? pipeline(whole, step, () => undefined) : whole;
  }
  return unpacked;
}

async function* startingWith(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

function unpackerFor(name: string, first: number) {
  if (name === 'gzip' || name === 'x-gzip') return createGunzip();
  if (name === 'br') return createBrotliDecompress();
  // Many servers send deflate without the zlib wrapper that the standard requires.
  return name !== 'deflate' ? undefined : (first & 0x0f) === 8 ? createInflate() : createInflateRaw();
}

/** Returns whether decompression failed because the input ended too early. */
export function isBrokenOff(fault: unknown): boolean {
  return hasCode(fault, 'Z_BUF_ERROR');
}
