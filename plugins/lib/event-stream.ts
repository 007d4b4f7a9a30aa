// Sends server-sent events to one client with backpressure.
import type { ServerResponse } from 'node:http';

/** The reply object of a raw route. */
export interface StreamReply {
  header(name: string, value: string): unknown;
  /** Sends the status and the headers. */
  sse(source: object): void;
  readonly sseContext: { readonly source: { end(): unknown } };
  readonly raw: ServerResponse;
}

export interface EventStream {
  /** Aborted when either end closes the stream. */
  readonly signal: AbortSignal;
  /** Whether the client reads too slowly; wait for {@link EventStream.drained} before sending more. */
  readonly isFull: boolean;
  /** Sends encoded frames unchanged. */
  write(frames: string): void;
  /** Resolves when the client has received most of the queued frames, or the stream is closed. */
  drained(): Promise<void>;
  /** Sends the queued frames, then closes the stream. */
  end(): void;
}

const fullBytes = 256 * 1024;
/** Interval in milliseconds between keep-alive frames, which proxies and clients expect. */
const aliveMs = 15_000;

/** Opens an event stream. The caller must end the stream; it also closes with its connection. */
export function openEventStream(reply: StreamReply): EventStream {
  const closed = new AbortController();
  const { raw } = reply;
  reply.header('x-accel-buffering', 'no');
  // A short event must not wait until the client has acknowledged the previous one.
  raw.socket?.setNoDelay(true);
  reply.sse({});
  const alive = setInterval(() => write(': alive\n\n'), aliveMs);
  alive.unref();
  const isOver = (): boolean => raw.destroyed || raw.writableEnded;
  function write(frames: string): void {
    // Closes the connection of a client that has read nothing for a long time.
    if (!isOver() && raw.writableLength > 16 * fullBytes) raw.destroy();
    if (!isOver()) raw.write(frames);
  }
  function close(): void {
    clearInterval(alive);
    reply.sseContext.source.end();
    closed.abort();
  }
  raw.on('error', () => raw.destroy());
  if (raw.destroyed) close();
  else raw.once('close', close);
  write(': open\n\n');

  return {
    signal: closed.signal,
    get isFull() {
      return raw.writableLength > fullBytes;
    },
    write,
    drained: () =>
      new Promise((resolve) => {
        if (isOver() || raw.writableLength <= fullBytes) return resolve();
        const done = (): void => {
          raw.off('drain', done);
          raw.off('close', done);
          resolve();
        };
        raw.on('drain', done);
        raw.on('close', done);
      }),
    end() {
      if (!isOver()) raw.end();
    },
  };
}

/** Formats one frame. A client that reconnects resumes after the frame with the last `id` that it received. */
export function eventFrame(data: unknown, id?: number | string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}
