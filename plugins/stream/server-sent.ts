// Encodes events as server-sent events, and opens the HTTP response that carries them.
import type { FastifyReply } from 'fastify';
import type { Pipe, Wire } from 'agent-harness/plugins/stream';

export const serverSent: Wire = {
  name: 'server-sent',
  event: ({ id, json }) => `id: ${id}\ndata: ${json}\n\n`,
  notice: (_, json) => `data: ${json}\n\n`,
  alive: ':\n\n',
  bytesOf: (texts) => Buffer.from(texts.join(''), 'utf8'),
};

/** Sends the status and headers, and returns the open connection. */
export function openResponse(reply: FastifyReply): Pipe {
  reply.header('x-accel-buffering', 'no');
  // Sends only headers, because direct writes would overtake the library's own stream.
  reply.sse({});
  const { raw } = reply;
  raw.on('error', () => raw.destroy());
  raw.on('close', () => void reply.sseContext.source.end());
  return {
    get isClosed() {
      return raw.destroyed || raw.writableEnded;
    },
    get bufferedBytes() {
      return raw.writableLength;
    },
    write: (bytes) => void raw.write(bytes),
    onDrain: (listener) => void raw.on('drain', listener),
    onClose: (listener) => (raw.destroyed ? listener() : void raw.on('close', listener)),
    end: () => void raw.end(),
    destroy: () => void raw.destroy(),
  };
}
