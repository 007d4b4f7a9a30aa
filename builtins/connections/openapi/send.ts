// Sends one HTTP request. Follows redirects only within the same server, and limits the size of the response.
import { codeOf } from '#lib/errors';
import { fetchGuarded } from '#lib/guarded-fetch';
import { addressesOf, isPublicAddress, reachOf, type FoundAddress } from '#lib/net';
import { textStart } from '#lib/text';

export interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface Incoming {
  readonly status: number;
  /** Media type in lower case, without parameters. */
  readonly mediaType: string;
  readonly bytes: Buffer;
  /** Whether the body exceeded the limit. */
  readonly isCut: boolean;
  /** Target of a redirect that was not followed. */
  readonly location?: string;
}

export interface SendOptions {
  readonly signal: AbortSignal;
  /** Size limit of the body in bytes. */
  readonly limit: number;
  /** Returns whether to follow a redirect; a redirect that is not followed is returned unchanged. */
  readonly mayFollow: (from: URL, to: URL) => boolean;
  /**
   * Whether to refuse addresses on this machine and in private networks when connecting, so that a public server cannot redirect there. Reserved addresses are
   * always refused.
   */
  readonly isPublicOnly: boolean;
}

const maxRedirects = 5;

/** Sends a request. Rejects with an error that has Node's `code`; its message may contain the address, so use {@link explainSending} for display. */
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

/** Returns whether a host name currently resolves to this machine or a private network; false for a name without addresses. */
export async function leadsInside(hostname: string): Promise<boolean> {
  const found = await addressesOf(hostname).catch((): readonly FoundAddress[] => []);
  return found.some(({ address }) => !isPublicAddress(address));
}

async function sendOnce({ method, url, headers, body }: Outgoing, { signal, limit, isPublicOnly }: SendOptions): Promise<Incoming> {
  const judge = (address: string): Error | undefined => {
    const reach = reachOf(address);
    return reach === undefined || (isPublicOnly && reach !== 'public') ? Object.assign(new Error('private address'), { code: 'EPRIVATE' }) : undefined;
  };
  const packed = body === undefined ? {} : { body: typeof body === 'string' ? body : Buffer.from(body) };
  const answer = await fetchGuarded(new URL(url), { method: method.toUpperCase(), headers, signal, ...packed }, { judge, limit });
  const { status, bytes, isCut } = answer;
  const location = status >= 300 && status < 400 ? answer.headers.get('location') : null;
  const mediaType = (answer.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return { status, mediaType, bytes, isCut, ...(location === null ? {} : { location }) };
}

/** Returns the redirected request (RFC 9110, 15.4): 307 and 308 repeat the request, the others use GET. */
function redirected(request: Outgoing, status: number, location: string): Outgoing | undefined {
  if (!URL.canParse(location, request.url)) return undefined;
  const url = new URL(location, request.url).href;
  if (status === 307 || status === 308 || request.method === 'get' || request.method === 'head') return { ...request, url };
  const { body: _, ...rest } = request;
  const headers = Object.fromEntries(Object.entries(rest.headers).filter(([name]) => name.toLowerCase() !== 'content-type'));
  return { ...rest, method: 'get', headers, url };
}

/** Describes an error without the address, which may contain a secret. */
export function explainSending(fault: unknown): string {
  const code = codeOf(fault) ?? '';
  const known: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'connection refused',
    ENOTFOUND: 'unknown host',
    EAI_AGAIN: 'the DNS lookup failed',
    ECONNRESET: 'the connection broke',
    ERR_STREAM_PREMATURE_CLOSE: 'the connection broke',
    Z_BUF_ERROR: 'the response broke off',
    ETIMEDOUT: 'it timed out',
    EPRIVATE: 'its name resolves to this machine or a private network; only an explicit baseUrl allows that',
  };
  if (fault instanceof Error && fault.name === 'AbortError') return 'it timed out or was stopped';
  return known[code] ?? (code === '' ? 'the request failed' : `the request failed (${textStart(code, 60)})`);
}
