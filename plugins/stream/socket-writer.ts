// The socket end of one reader: opened by the SSE plugin, then written to directly, with a bounded queue.
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

const queueLimit = 4 * 1024 * 1024;
/** While catching up: no more than this waits in the queue. */
const calmLimit = 1024 * 1024;

export interface SocketWriter {
  readonly isClosed: boolean;
  /** Answers `false` and sends nothing when the queue is too full for it. */
  offer(bytes: Buffer): boolean;
  /** Sends, then waits while much is queued. */
  send(text: string): Promise<void>;
  /** Sends whatever the queue is like. */
  push(text: string): void;
  onDrain(listener: () => void): void;
  onClose(listener: () => void): void;
  /** Sends what is queued, then closes. */
  end(lastText?: string): void;
  /** Closes now. */
  destroy(): void;
}

/** Sends status, headers and the first message. */
export function openSocketWriter(reply: FastifyReply, firstMessage: string): SocketWriter {
  reply.header('x-accel-buffering', 'no');
  // Nothing to say: what the plugin sends goes through a stream of its own, and would be overtaken by what is written here.
  reply.sse({});
  const { raw } = reply;
  raw.write(`data: ${firstMessage}\n\n`);
  return createSocketWriter(raw, () => void reply.sseContext.source.end());
}

function createSocketWriter(raw: ServerResponse, release: () => void): SocketWriter {
  raw.on('error', () => raw.destroy());
  raw.on('close', release);

  function drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        raw.removeListener('drain', done);
        raw.removeListener('close', done);
        resolve();
      };
      raw.on('drain', done);
      raw.on('close', done);
    });
  }

  return {
    get isClosed() {
      return raw.destroyed || raw.writableEnded;
    },
    offer(bytes) {
      if (raw.writableLength > 0 && raw.writableLength + bytes.length > queueLimit) return false;
      raw.write(bytes);
      return true;
    },
    async send(text) {
      if (raw.destroyed || raw.writableEnded) return;
      const isCalm = raw.write(text);
      if (!isCalm && raw.writableLength > calmLimit) await drained();
    },
    push(text) {
      if (!raw.destroyed && !raw.writableEnded) raw.write(text);
    },
    onDrain: (listener) => void raw.on('drain', listener),
    onClose: (listener) => (raw.destroyed ? listener() : void raw.on('close', listener)),
    end(lastText) {
      if (raw.destroyed || raw.writableEnded) return;
      if (lastText === undefined) raw.end();
      else raw.end(lastText);
    },
    destroy: () => void raw.destroy(),
  };
}
