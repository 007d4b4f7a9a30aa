// Unpacks the body of a reply, and tells a packed body that breaks off from one that is whole.
import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { hasCode } from './errors.ts';

/** @param encoding as in Content-Encoding; what is not known there is answered as it is */
export async function unpackBody(body: Readable, encoding: string): Promise<Readable> {
  let unpacked = body;
  // The last one was put on last.
  for (const name of encoding.toLowerCase().split(',').reverse()) {
    if (name.trim() === '' || name.trim() === 'identity') continue;
    const chunks = unpacked.iterator() as AsyncIterableIterator<Buffer>;
    const first = await chunks.next();
    if (first.done === true) return Readable.from([]);
    const whole = Readable.from(startingWith(first.value, chunks));
    const step = unpackerFor(name.trim(), first.value[0] ?? 0);
    // Who reads the last one hears of what fails anywhere.
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
  // Many servers send it without the frame of zlib that the standard asks for.
  return name !== 'deflate' ? undefined : (first & 0x0f) === 8 ? createInflate() : createInflateRaw();
}

/** Whether unpacking failed because the packed bytes ended too early. */
export function isBrokenOff(fault: unknown): boolean {
  return hasCode(fault, 'Z_BUF_ERROR');
}
