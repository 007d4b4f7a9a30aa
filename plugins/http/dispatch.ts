// Requests that come through no socket of their own: a plugin makes them, or a client over a WebSocket.
import { ServerResponse, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Dispatch, DispatchReply } from 'agent-harness/plugins/http';
import { setCommonHeaders } from './reply-headers.ts';

export interface DispatchParts {
  /** Of the other end, as the route sees it. */
  readonly peer: string;
  /** Sees it before it is served. */
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => void;
  readonly serve: (request: IncomingMessage, response: ServerResponse) => void;
}

/** Answers the whole reply. Rejects where the signal is aborted; then the route sees that its client has left. */
export async function dispatch(asked: Dispatch, { peer, onRequest, serve }: DispatchParts): Promise<DispatchReply> {
  const { signal } = asked;
  signal?.throwIfAborted();
  const request = makeRequest(asked, peer);
  const response = new GatheredResponse(request);
  const leave = (): void => void response.destroy(signal?.reason as Error);
  signal?.addEventListener('abort', leave, { once: true });
  try {
    onRequest(request, response);
    setCommonHeaders(response);
    serve(request, response);
    return await response.whole;
  } finally {
    signal?.removeEventListener('abort', leave);
  }
}

/** As much of a request as a router, a body parser and a route look at. */
function makeRequest({ method, path, headers = {}, body }: Dispatch, peer: string): IncomingMessage {
  const isBytes = body instanceof Uint8Array;
  const payload = isBytes ? Buffer.from(body) : body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const all: Record<string, string> = { host: 'localhost' };
  if (payload && !isBytes) all['content-type'] = 'application/json';
  if (payload) all['content-length'] = String(payload.length);
  for (const [name, value] of Object.entries(headers)) all[name.toLowerCase()] = value;
  const stream = new Readable({ autoDestroy: false, read: () => undefined });
  if (payload && payload.length > 0) stream.push(payload);
  stream.push(null);
  const socket = { remoteAddress: peer, destroyed: false };
  const about = {
    method,
    url: path,
    headers: all,
    rawHeaders: Object.entries(all).flat(),
    httpVersion: '1.1',
    httpVersionMajor: 1,
    httpVersionMinor: 1,
    socket,
  };
  return Object.assign(stream, about) as unknown as IncomingMessage;
}

/** Keeps what is written. */
class GatheredResponse extends ServerResponse {
  readonly whole: Promise<DispatchReply>;
  readonly #chunks: Buffer[] = [];
  #settle: { resolve(reply: DispatchReply): void; reject(fault: Error): void } | undefined;

  constructor(request: IncomingMessage) {
    super(request);
    this.whole = new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
    // Whoever asked may have left before anybody waits for it.
    this.whole.catch(() => undefined);
  }

  override write(chunk: unknown, ...rest: unknown[]): boolean {
    if (!this.headersSent) this.writeHead(this.statusCode);
    const [encoding] = rest;
    this.#chunks.push(
      typeof chunk === 'string' ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8') : Buffer.from(chunk as Uint8Array),
    );
    const done = rest.find((one): one is () => void => typeof one === 'function');
    if (done) process.nextTick(done);
    return true;
  }

  override end(...given: unknown[]): this {
    if (this.writableEnded) return this;
    const [chunk, encoding] = given;
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) this.write(chunk, encoding);
    else if (!this.headersSent) this.writeHead(this.statusCode);
    // Nothing is under it that would say so.
    this.finished = true;
    const done = given.find((one): one is () => void => typeof one === 'function');
    const [only] = this.#chunks;
    const body = only && this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks);
    this.#settle?.resolve({ status: this.statusCode, headers: { ...this.getHeaders() }, body });
    this.emit('finish');
    done?.();
    this.destroy();
    return this;
  }

  override destroy(fault?: Error): this {
    if (this.destroyed) return this;
    this.destroyed = true;
    this.#settle?.reject(fault ?? new Error('The request ended without a reply.'));
    process.nextTick(() => this.emit('close'));
    return this;
  }
}
