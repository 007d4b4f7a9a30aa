// A clip while it is made: whoever asks for it gets what there is and the rest as it comes.
import { once, EventEmitter } from 'node:events';
import { Readable } from 'node:stream';

export interface GrowingClip {
  readonly mimeType: string;
  /** Of a clip that is complete: all of it, with its length in its head where its kind has that. */
  readonly content: Buffer | undefined;
  readonly size: number;
  add(piece: Uint8Array): void;
  /** @param content what counts from now on */
  end(content: Buffer): void;
  fail(fault: unknown): void;
  bytes(): Buffer;
  /** Resolves when it is complete. Rejects where it fails. */
  whole(): Promise<Buffer>;
  /** From the first byte on. Fails where the clip does. */
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
      // Whoever made it may use its memory again.
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
