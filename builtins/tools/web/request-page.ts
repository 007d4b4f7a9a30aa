// Makes one attempt to fetch a page: a GET request, redirects followed manually with each address checked, and a body with a size limit.
import type { Readable } from 'node:stream';
import { isBrokenOff } from '#lib/unpack';
import { fetchComplete } from '#lib/complete-fetch';
import { isPdf, kindOf } from './content-kind.ts';
import type { Agents } from './public-address.ts';
import { readAddress } from './read-address.ts';
import { faultOfConnection, WebFault } from './web-fault.ts';

export interface PageRequest {
  readonly agents: Agents;
  /** Returns whether the user allowed the host of a URL; called for the first URL and each redirect. */
  readonly mayBePrivate: (url: URL) => boolean;
  /** Headers that are sent to the first origin and to the origins of its redirects. */
  readonly headers: Readonly<Record<string, string>>;
  /** Value of the Authorization header, which is sent only to the origin of the first URL. */
  readonly authorization?: string;
  /** Maximum bytes of a file of any type; if omitted, the limit for the page's type applies. */
  readonly wholeBytes?: number;
}

export interface PageReply {
  /** URL after redirects. */
  readonly url: URL;
  readonly status: number;
  readonly contentType: string;
  readonly retryAfter: string | null;
  /** The decompressed body; empty for a binary type. */
  readonly body: Uint8Array;
  /** Whether the size limit was exceeded. */
  readonly isCut: boolean;
  /** Whether the compressed body was truncated, so that `body` is only the decompressed part. */
  readonly isBroken: boolean;
}

/** Maximum size of decompressed text in bytes. */
export const maxTextBytes = 2_500_000;
export const maxPdfBytes = 20 * 1024 * 1024;
const maxRedirects = 10;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Fetches a page. Rejects with a {@link WebFault}, or the signal's reason. */
export async function requestPage(first: URL, request: PageRequest, signal: AbortSignal): Promise<PageReply> {
  let url = first;
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const answer = await requestOnce(url, first, request, signal);
    if (!(answer instanceof URL)) return answer;
    url = answer;
  }
  throw new WebFault(`${first.host} redirects more than ${maxRedirects} times.`, { hint: 'It may be a loop or need cookies. Try another URL.' });
}

/** Makes one request. Resolves with the response, or with the target of a redirect. */
async function requestOnce(url: URL, first: URL, request: PageRequest, signal: AbortSignal): Promise<PageReply | URL> {
  const mayBePrivate = request.mayBePrivate(url);
  const own = new AbortController();
  const agent = await agentOf(url, mayBePrivate, request.agents);
  const options = {
    redirect: 'manual' as const,
    signal: AbortSignal.any([signal, own.signal]),
    agent,
    headers: { ...request.headers, ...(request.authorization !== undefined && url.origin === first.origin ? { authorization: request.authorization } : {}) },
  };
  try {
    const response = await fetchComplete(url.href, options);
    const { body } = response;
    // Ending the request early emits an error, which would otherwise have no listener.
    body.on('error', () => undefined);
    const location = response.headers.get('location');
    if (redirects.has(response.status) && location !== null) return readAddress(location, url);
    return {
      url,
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      retryAfter: response.headers.get('retry-after'),
      ...(await readBody(body, response.headers, request.wholeBytes)),
    };
  } catch (fault) {
    if (signal.aborted) throw signal.reason;
    throw faultOfConnection(fault, url);
  } finally {
    own.abort();
  }
}

async function agentOf(url: URL, mayBePrivate: boolean, agents: Agents): ReturnType<Agents['agentFor']> {
  try {
    return await agents.agentFor(url, mayBePrivate);
  } catch (fault) {
    throw faultOfConnection(fault, url);
  }
}

async function readBody(unpacked: Readable, headers: Headers, wholeBytes: number | undefined): Promise<Pick<PageReply, 'body' | 'isCut' | 'isBroken'>> {
  const kind = kindOf(headers.get('content-type') ?? '');
  if (kind === 'binary' && wholeBytes === undefined) return { body: new Uint8Array(), isCut: false, isBroken: false };
  const chunks: Uint8Array[] = [];
  let length = 0;
  let limit = wholeBytes ?? (kind === 'pdf' ? maxPdfBytes : maxTextBytes);
  const result = (end: 'whole' | 'cut' | 'broken'): Awaited<ReturnType<typeof readBody>> => ({
    body: Buffer.concat(chunks),
    isCut: end === 'cut',
    isBroken: end === 'broken',
  });
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      if (length === 0 && kind === 'unknown' && wholeBytes === undefined && isPdf(chunk)) limit = maxPdfBytes;
      chunks.push(chunk.subarray(0, limit - length));
      length += chunk.length;
      if (length > limit) return result('cut');
    }
  } catch (fault) {
    if (length === 0 || !isBrokenOff(fault)) throw fault;
    return result('broken');
  }
  return result('whole');
}
