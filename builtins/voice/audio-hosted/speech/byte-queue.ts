// Queues bytes between a producer and a slower consumer.

export interface ByteQueue {
  add(piece: Uint8Array): void;
  end(): void;
  fail(fault: unknown): void;
  /** Reads the bytes; may be called once. If the queue fails, the bytes before the error are delivered first. */
  read(): AsyncGenerator<Uint8Array>;
}

export function createByteQueue(): ByteQueue {
  const pieces: Uint8Array[] = [];
  let isOver = false;
  let failed: { readonly fault: unknown } | undefined;
  let wake = (): void => undefined;

  function close(): void {
    isOver = true;
    wake();
  }

  return {
    add(piece) {
      pieces.push(piece);
      wake();
    },
    end: close,
    fail(fault) {
      failed = { fault };
      close();
    },
    async *read() {
      for (;;) {
        const piece = pieces.shift();
        if (piece) yield piece;
        else if (failed) throw failed.fault;
        else if (isOver) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
