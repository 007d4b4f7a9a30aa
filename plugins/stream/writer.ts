// Writes frames to one reader of the event stream, with a bounded queue.
import type { Pipe, Wire } from 'agent-harness/plugins/stream';

const queueLimit = 4 * 1024 * 1024;
/** Maximum number of queued bytes while the reader catches up. */
const catchUpLimit = 1024 * 1024;

export interface Writer {
  readonly isClosed: boolean;
  /** Sends bytes. Returns `false`, and sends nothing, if the queue is too full. */
  offer(bytes: Buffer): boolean;
  /** Sends strings, then waits while the queue is long. */
  send(texts: readonly string[]): Promise<void>;
  /** Sends text regardless of the length of the queue. */
  push(text: string): void;
  onDrain(listener: () => void): void;
  onClose(listener: () => void): void;
  /** Sends the queue, then closes the connection. @param lastText text for a reader that was too slow */
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
      if (pipe.bufferedBytes <= catchUpLimit) return;
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
