// Implements a clip that is being produced: readers receive the existing bytes, and then new bytes as they arrive.
import { once, EventEmitter } from 'node:events';
import { Readable } from 'node:stream';

export interface GrowingClip {
  readonly mimeType: string;
  /** Complete content of a finished clip, with its duration in the header if the type supports that. */
  readonly content: Buffer | undefined;
  readonly size: number;
  add(piece: Uint8Array): void;
  /** @param content the final content */
  end(content: Buffer): void;
  fail(fault: unknown): void;
  bytes(): Buffer;
  /** Resolves when the clip is complete. Rejects if it fails. */
  whole(): Promise<Buffer>;
  /** Streams the clip from the first byte. Fails if the clip fails. */
  stream(): Readable;
}

export function createGrowingClip(mimeType: string): GrowingClip {
  const pieces: Buffer[] = [];
  const news = new EventEmitter().setMaxListeners(0);
  let size = 0;
  let content: Buffer | undefined;
  let isOver = false;
  let fault: unknown;

  async function* read(): AsyncGenerator<Buffer> {
    for (let at = 0; ; at++) {
      while (at >= pieces.length && !isOver) await once(news, 'more');
      const piece = pieces[at];
      if (piece) yield piece;
      else if (fault !== undefined) throw fault;
      else return;
    }
  }

  function close(): void {
    isOver = true;
    news.emit('more');
  }

  return {
    mimeType,
    get content() {
      return content;
    },
    get size() {
      return size;
    },
    add(piece) {
      // Copies the chunk, because the producer may reuse its memory.
      pieces.push(Buffer.from(piece));
      size += piece.byteLength;
      news.emit('more');
    },
    end(whole) {
      content = whole;
      close();
    },
    fail(cause) {
      fault = cause;
      close();
    },
    bytes: () => Buffer.concat(pieces, size),
    async whole() {
      while (!isOver) await once(news, 'more');
      if (!content) throw fault;
      return content;
    },
    stream: () => Readable.from(read(), { objectMode: false }),
  };
}
