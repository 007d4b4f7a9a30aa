// One request over HTTP, whose answer is whole or fails. By the fetch of a package, because node's own takes no agent and loads for long.
import type { Agent as HttpAgent, ClientRequest, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import fetch from 'cross-fetch';
import { createOutgoingAgents } from './outgoing.ts';
import { proxyFor } from './proxies.ts';
import { unpackBody } from './unpack.ts';

export interface WholeRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestInit['body'] | Buffer | Readable;
  /** `error` when left out. */
  readonly redirect?: 'error' | 'manual';
  readonly signal?: AbortSignal | null;
  /** Of {@link createOutgoingAgents}; left out, the request has a connection of its own. */
  readonly agent?: HttpAgent;
}

export interface Answer {
  readonly status: number;
  readonly statusText: string;
  /** The status is 2xx. */
  readonly ok: boolean;
  readonly headers: Headers;
  /** Unpacked. Fails where the answer breaks off, packed or not. Contract: read to its end, or destroyed. */
  readonly body: Readable;
}

/** Rejects as `fetch` does. */
export async function fetchWhole(url: string, { redirect = 'error', agent, headers, ...request }: WholeRequest): Promise<Answer> {
  let incoming: IncomingMessage | undefined;
  const reading: { body?: Readable; fault?: Error } = {};
  // The package would wait for the rest of an answer of which no more comes.
  const onAnswer = (answer: IncomingMessage): void => {
    incoming = answer;
    answer.on('error', (fault) => {
      reading.fault = fault;
      reading.body?.destroy(fault);
    });
  };
  const connecting = agent ?? (await createOutgoingAgents().agentFor(new URL(url)));
  // Its own unpacking takes what breaks off for whole.
  const init = { ...request, headers: { 'accept-encoding': 'gzip,deflate', ...headers }, redirect, compress: false, agent: telling(connecting, onAnswer) };
  const reply = await fetch(url, init as RequestInit);
  const body = (reading.body = reply.body as unknown as Readable);
  // Destroying it makes it fail with nobody left to listen.
  body.on('error', () => undefined).once('close', () => incoming?.readableEnded === false && incoming.destroy());
  if (reading.fault) body.destroy(reading.fault);
  const encoding = reply.headers.get('content-encoding');
  const { status, statusText, ok } = reply;
  return { status, statusText, ok, headers: reply.headers, body: encoding === null ? body : await unpackBody(body, encoding) };
}

/** Statuses whose answers have no body. */
export const bodiless: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/** The runtime's `fetch`, through the proxy of the settings where one holds for the address. Redirects are never followed there. */
export async function fetchOutgoing(url: string | URL, init: RequestInit = {}): Promise<Response> {
  if (!proxyFor(new URL(url))) return globalThis.fetch(url, init);
  const { method = 'GET', body = null, signal = null, redirect } = init;
  const headers = Object.fromEntries(new Headers(init.headers));
  const encoded = body === null || typeof body === 'string' ? body : Buffer.from(await new Response(body).arrayBuffer());
  const request = { method, signal, headers, redirect: redirect === 'manual' ? ('manual' as const) : ('error' as const) };
  const answer = await fetchWhole(String(url), { ...request, ...(encoded === null ? {} : { body: encoded }) });
  const { status, statusText } = answer;
  const given: Record<string, string> = {};
  answer.headers.forEach((value, name) => {
    if (name !== 'content-encoding' && name !== 'content-length') given[name] = value; // unpacked
  });
  if (bodiless.has(status)) answer.body.destroy();
  const stream = bodiless.has(status) ? null : (Readable.toWeb(answer.body) as ReadableStream<Uint8Array>);
  return new Response(stream, { status, statusText, headers: given });
}

/** Rejects where it breaks off, or is longer than that many bytes. */
export async function textOfAnswer({ body }: Answer, limit: number): Promise<string> {
  const { bytes, isCut } = await readUpTo(body, limit);
  if (isCut) throw new Error(`it answered more than ${limit} bytes`);
  return bytes.toString('utf8');
}

/** What is over the limit is left, and the answer ended. */
export async function readUpTo(body: Readable, limit: number): Promise<{ readonly bytes: Buffer; readonly isCut: boolean }> {
  const chunks: Buffer[] = [];
  let room = limit;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, room));
    room -= chunk.length;
    // Leaving the loop ends the body.
    if (room < 0) break;
  }
  return { bytes: Buffer.concat(chunks), isCut: room < 0 };
}

/** The same agent, which tells of each answer. */
function telling(agent: HttpAgent, onAnswer: (answer: IncomingMessage) => void): HttpAgent {
  // What node's own requests call of an agent.
  type Adding = HttpAgent & { addRequest(request: ClientRequest, ...rest: unknown[]): void };
  const addRequest: Adding['addRequest'] = (request, ...rest) => {
    request.once('response', onAnswer);
    (agent as Adding).addRequest(request, ...rest);
  };
  return Object.create(agent, { addRequest: { value: addRequest } }) as HttpAgent;
}
