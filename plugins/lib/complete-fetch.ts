// Sends one HTTP request, and fails unless the reply is complete. Uses a package, because Node's own `fetch` accepts no agent and loads slowly.
import type { Agent as HttpAgent, ClientRequest, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import fetch from 'cross-fetch';
import { createOutgoingAgents } from './outgoing.ts';
import { proxyFor } from './proxies.ts';
import { unpackBody } from './unpack.ts';

export interface CompleteRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestInit['body'] | Buffer | Readable;
  /** Handling of redirects; default: `error`. */
  readonly redirect?: 'error' | 'manual';
  readonly signal?: AbortSignal | null;
  /** An agent from {@link createOutgoingAgents}; default: the request has its own connection. */
  readonly agent?: HttpAgent;
}

export interface Answer {
  readonly status: number;
  readonly statusText: string;
  /** Whether the status is 2xx. */
  readonly ok: boolean;
  readonly headers: Headers;
  /** The decompressed body. Fails if the reply is truncated, whether compressed or not. Contract: the caller reads the body to its end, or destroys it. */
  readonly body: Readable;
}

/** Sends a request. Rejects as `fetch` does. */
export async function fetchComplete(url: string, { redirect = 'error', agent, headers, ...request }: CompleteRequest): Promise<Answer> {
  let incoming: IncomingMessage | undefined;
  const reading: { body?: Readable; fault?: Error } = {};
  // The package would wait for the rest of a truncated reply, which never arrives.
  const onAnswer = (answer: IncomingMessage): void => {
    incoming = answer;
    answer.on('error', (fault) => {
      reading.fault = fault;
      reading.body?.destroy(fault);
    });
  };
  const connecting = agent ?? (await createOutgoingAgents().agentFor(new URL(url)));
  // The package's own decompression accepts truncated data.
  const init = {
    ...request,
    headers: { 'accept-encoding': 'gzip,deflate', ...headers },
    redirect,
    compress: false,
    agent: withReplyListener(connecting, onAnswer),
  };
  const reply = await fetch(url, init as RequestInit);
  const body = (reading.body = reply.body as unknown as Readable);
  // Destroying the body raises an error that has no listener.
  body.on('error', () => undefined).once('close', () => incoming?.readableEnded === false && incoming.destroy());
  if (reading.fault) body.destroy(reading.fault);
  const encoding = reply.headers.get('content-encoding');
  const { status, statusText, ok } = reply;
  return { status, statusText, ok, headers: reply.headers, body: encoding === null ? body : await unpackBody(body, encoding) };
}

/** Statuses of replies without a body. */
export const bodiless: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/** Calls the runtime's `fetch`, through the configured proxy for the URL, if any. With a proxy, redirects are not followed. */
export async function fetchOutgoing(url: string | URL, init: RequestInit = {}): Promise<Response> {
  if (!proxyFor(new URL(url))) return globalThis.fetch(url, init);
  const { method = 'GET', body = null, signal = null, redirect } = init;
  const headers = Object.fromEntries(new Headers(init.headers));
  const encoded = body === null || typeof body === 'string' ? body : Buffer.from(await new Response(body).arrayBuffer());
  const request = { method, signal, headers, redirect: redirect === 'manual' ? ('manual' as const) : ('error' as const) };
  const answer = await fetchComplete(String(url), { ...request, ...(encoded === null ? {} : { body: encoded }) });
  const { status, statusText } = answer;
  const given: Record<string, string> = {};
  answer.headers.forEach((value, name) => {
    if (name !== 'content-encoding' && name !== 'content-length') given[name] = value; // already decompressed
  });
  if (bodiless.has(status)) answer.body.destroy();
  const stream = bodiless.has(status) ? null : (Readable.toWeb(answer.body) as ReadableStream<Uint8Array>);
  return new Response(stream, { status, statusText, headers: given });
}

/** Returns the body as text. Rejects if the body is truncated, or longer than `limit` bytes. */
export async function textOfAnswer({ body }: Answer, limit: number): Promise<string> {
  const { bytes, isCut } = await readUpTo(body, limit);
  if (isCut) throw new Error(`the reply has more than ${limit} bytes`);
  return bytes.toString('utf8');
}

/** Reads at most `limit` bytes of the body, then ends the reply. `isCut`: the body has more bytes. */
export async function readUpTo(body: Readable, limit: number): Promise<{ readonly bytes: Buffer; readonly isCut: boolean }> {
  const chunks: Buffer[] = [];
  let room = limit;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, room));
    room -= chunk.length;
    // Leaving the loop destroys the body.
    if (room < 0) break;
  }
  return { bytes: Buffer.concat(chunks), isCut: room < 0 };
}

function withReplyListener(agent: HttpAgent, onAnswer: (answer: IncomingMessage) => void): HttpAgent {
  // The method of an agent that Node's requests call.
  type Adding = HttpAgent & { addRequest(request: ClientRequest, ...rest: unknown[]): void };
  const addRequest: Adding['addRequest'] = (request, ...rest) => {
    request.once('response', onAnswer);
    (agent as Adding).addRequest(request, ...rest);
  };
  return Object.create(agent, { addRequest: { value: addRequest } }) as HttpAgent;
}
