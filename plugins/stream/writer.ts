// Writes frames to one reader, with a bounded queue.
import type { Pipe, Wire } from 'agent-harness/plugins/stream';

const queueLimit = 4 * 1024 * 1024;
/** Maximum queued bytes while catching up. */
const calmLimit = 1024 * 1024;

export interface Writer {
  readonly isClosed: boolean;
  /** Returns `false`, and sends nothing, if the queue is too full. */
  offer(bytes: Buffer): boolean;
  /** Sends, then waits while the queue is long. */
  send(texts: readonly string[]): Promise<void>;
  /** Sends regardless of the queue. */
  push(text: string): void;
  onDrain(listener: () => void): void;
  onClose(listener: () => void): void;
  /** Sends the queue, then closes. `lastText`: for a reader that was too slow. */
  end(lastText?: string): void;
  /** Closes immediately. */
  destroy(): void;
}

export function createWriter(pipe: Pipe, wire: Wire): Writer {
  let onDrain: (() => void) | undefined;
  let onClose: (() => void) | undefined;
  let goOn: (() => void) | undefined;
  let isEnded = false;
  const isClosed = (): boolean => isEnded || pipe.isClosed;

  pipe.onDrain(() => {
    goOn?.();
    onDrain?.();
  });
  pipe.onClose(() => {
    isEnded = true;
    goOn?.();
    onClose?.();
  });

  return {
    get isClosed() {
      return isClosed();
    },
    offer(bytes) {
      if (pipe.bufferedBytes > 0 && pipe.bufferedBytes + bytes.length > queueLimit) return false;
      if (!isClosed()) pipe.write(bytes);
      return true;
    },
    async send(texts) {
      if (isClosed()) return;
      pipe.write(wire.bytesOf(texts));
      if (pipe.bufferedBytes <= calmLimit) return;
      await new Promise<void>((resolve) => (goOn = resolve));
      goOn = undefined;
    },
    push(text) {
      if (!isClosed()) pipe.write(wire.bytesOf([text]));
    },
    onDrain(listener) {
      onDrain = listener;
    },
    onClose(listener) {
      onClose = listener;
      if (pipe.isClosed) listener();
    },
    end(lastText) {
      if (isClosed()) return;
      if (lastText !== undefined) pipe.write(wire.bytesOf([lastText]));
      isEnded = true;
      pipe.end(lastText === undefined ? 'over' : 'slow');
    },
    destroy: () => pipe.destroy(),
  };
}
