// HTTP for this plugin: one request, redirects within the same server only, and a limit on what comes back.
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { lookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import fetch from 'cross-fetch';
import { bareHost, isForbiddenAddress, isPrivateAddress } from './base-url.ts';

export interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface Incoming {
  readonly status: number;
  /** Without parameters, in lower case. */
  readonly mediaType: string;
  readonly bytes: Buffer;
  /** There was more than the limit. */
  readonly isCut: boolean;
  /** Set where a redirect was not followed. */
  readonly location?: string;
}

export interface SendOptions {
  readonly signal: AbortSignal;
  /** Bytes. */
  readonly limit: number;
  /** Whether a redirect may be followed; the others are answered as they are. */
  readonly mayFollow: (from: URL, to: URL) => boolean;
  /**
   * Refuses addresses on this machine and in private networks at the moment of connecting, for the very connection. A server
   * that lies outside of them is never followed into them. Link-local addresses are refused always.
   */
  readonly isPublicOnly: boolean;
}

const maxRedirects = 5;

/** Rejects with an error whose `code` node gives; its message may hold the address, so show {@link explainFault} instead. */
export async function send(request: Outgoing, options: SendOptions): Promise<Incoming> {
  let next = request;
  let { isPublicOnly } = options;
  for (let hop = 0; ; hop++) {
    const reply = await sendOnce(next, { ...options, isPublicOnly });
    const target = reply.location === undefined ? undefined : redirected(next, reply.status, reply.location);
    if (!target || hop >= maxRedirects || !options.mayFollow(new URL(next.url), new URL(target.url))) return reply;
    isPublicOnly ||= new URL(target.url).origin !== new URL(next.url).origin && !(await leadsInside(new URL(next.url).hostname));
    next = target;
  }
}

/** Whether a name leads to this machine or a private network, by the addresses it has now. A name without any leads nowhere. */
export async function leadsInside(hostname: string): Promise<boolean> {
  const host = bareHost(hostname);
  if (isIP(host) !== 0) return isPrivateAddress(host);
  const found = await new Promise<readonly LookupAddress[]>((resolve) => lookup(host, { all: true }, (fault, all) => resolve(fault ? [] : all)));
  return found.some(({ address }) => isPrivateAddress(address));
}

async function sendOnce({ method, url, headers, body }: Outgoing, { signal, limit, isPublicOnly }: SendOptions): Promise<Incoming> {
  const host = bareHost(new URL(url).hostname);
  // For an address in place of a name nothing is looked up.
  if (isIP(host) !== 0 && isRefused(host, isPublicOnly)) throw refusal();
  const find = guardedLookup(isPublicOnly);
  const agents = { http: new HttpAgent({ lookup: find }), https: new HttpsAgent({ lookup: find }) };
  try {
    const response = await fetch(url, {
      method: method.toUpperCase(),
      headers,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : Buffer.from(body) }),
      redirect: 'manual',
      signal,
      agent: (to: URL) => (to.protocol === 'http:' ? agents.http : agents.https),
    } as RequestInit);
    const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
    const { bytes, isCut } = await readBytes(response.body as unknown as Readable, limit);
    const mediaType = (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
    return { status: response.status, mediaType, bytes, isCut, ...(location === null ? {} : { location }) };
  } finally {
    agents.http.destroy();
    agents.https.destroy();
  }
}

const isRefused = (address: string, isPublicOnly: boolean): boolean => isForbiddenAddress(address) || (isPublicOnly && isPrivateAddress(address));
const refusal = (): Error => Object.assign(new Error('private address'), { code: 'EPRIVATE' });

/** The connection uses exactly what is answered here, so that a name cannot change its address in between. */
function guardedLookup(isPublicOnly: boolean): LookupFunction {
  return (hostname, options, answer) => {
    lookup(hostname, { ...options, all: true }, (fault, found: LookupAddress[]) => {
      if (fault) return answer(fault, '', 0);
      if (found.some(({ address }) => isRefused(address, isPublicOnly))) return answer(refusal(), '', 0);
      if (options.all === true) return answer(null, found);
      const [first] = found;
      return answer(null, first?.address ?? '', first?.family ?? 0);
    });
  };
}

async function readBytes(body: Readable, limit: number): Promise<{ bytes: Buffer; isCut: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    const room = limit - length;
    chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    length += chunk.length;
    if (length > limit) {
      body.destroy();
      return { bytes: Buffer.concat(chunks), isCut: true };
    }
  }
  return { bytes: Buffer.concat(chunks), isCut: false };
}

/** RFC 9110, 15.4: 307 and 308 repeat the request, the others fetch. */
function redirected(request: Outgoing, status: number, location: string): Outgoing | undefined {
  if (!URL.canParse(location, request.url)) return undefined;
  const url = new URL(location, request.url).href;
  if (status === 307 || status === 308 || request.method === 'get' || request.method === 'head') return { ...request, url };
  const { body: _, ...rest } = request;
  const headers = Object.fromEntries(Object.entries(rest.headers).filter(([name]) => name.toLowerCase() !== 'content-type'));
  return { ...rest, method: 'get', headers, url };
}

/** A sentence without the address, which may carry a key. */
export function explainFault(fault: unknown): string {
  const code = typeof fault === 'object' && fault !== null && 'code' in fault ? String(fault.code) : '';
  const known: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'nothing listens there',
    ENOTFOUND: 'there is no such host',
    EAI_AGAIN: 'the host name could not be looked up',
    ECONNRESET: 'the connection was cut',
    ETIMEDOUT: 'it did not answer in time',
    EPRIVATE: 'its name leads to this machine or a private network, which only an address that you give yourself may; give baseUrl to allow that',
  };
  if (fault instanceof Error && fault.name === 'AbortError') return 'it did not answer in time, or the call was stopped';
  return known[code] ?? (code === '' ? 'the request failed' : `the request failed (${code.slice(0, 60)})`);
}
