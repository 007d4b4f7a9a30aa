// Sends HTTP requests for an isolated plugin, only to the hosts in its manifest, and checks redirects.
import { fetchGuarded, headerFields } from '#lib/guarded-fetch';
import { bareHost, isInsideName, isLoopback } from '#lib/hosts';
import { isPublicAddress, literalAddress, reachOf, type FindAddresses } from '#lib/net';
import { reaches, type Capabilities } from './capabilities.ts';

/** An HTTP request in serialized form. */
export interface ProxiedRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: Uint8Array;
  readonly redirect: RequestRedirect;
}

export interface ProxiedReply {
  /** URL of the last request, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/** Maximum size of a reply in bytes. */
export const answerLimit = 16 * 1024 * 1024;
const mostRedirects = 5;
const limitMs = 120_000;
/** Headers that concern the connection or its target; a plugin may not set them. */
const own = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'te', 'trailer', 'keep-alive', 'proxy-authorization']);
/** Headers that are sent only to the original host. */
const personal = new Set(['authorization', 'cookie']);

/** Sends a request. Rejects for an undeclared host, for a public name that resolves to a private network, and in the same cases as `fetch`. */
export async function fetchForPlugin(
  plugin: string,
  may: Capabilities,
  request: ProxiedRequest,
  signal?: AbortSignal,
  find?: FindAddresses,
): Promise<ProxiedReply> {
  const limit = AbortSignal.any([AbortSignal.timeout(limitMs), ...(signal ? [signal] : [])]);
  let { method, body } = request;
  let headers = request.headers.filter(([name]) => !own.has(name.toLowerCase()));
  let url = new URL(request.url);
  for (let redirects = 0; ; redirects++) {
    if (!reaches(may, url)) {
      throw new TypeError(`Plugin '${plugin}' may not connect to ${url.host}, because capabilities.hosts of its manifest does not list it.`);
    }
    const asked = { method, headers: Object.fromEntries(headers), ...(body ? { body: Buffer.from(body) } : {}), signal: limit };
    const answer = await fetchGuarded(url, asked, { judge: judgeFor(url), limit: answerLimit, ...(find ? { find } : {}) });
    if (answer.isCut) throw new TypeError(`${url.host} sent a reply of more than ${answerLimit / 1024 / 1024} MB.`);
    const next = answer.headers.get('location');
    if (request.redirect !== 'follow' || next === null || ![301, 302, 303, 307, 308].includes(answer.status)) {
      if (request.redirect === 'error' && next !== null) throw new TypeError(`${url.host} returned a redirect.`);
      return { url: url.href, status: answer.status, statusText: answer.statusText, headers: replyHeaders(answer.headers), body: answer.bytes };
    }
    if (redirects === mostRedirects) throw new TypeError(`${url.host} redirects too often.`);
    const from = url.origin;
    url = new URL(next, url);
    if (url.origin !== from) headers = headers.filter(([name]) => !personal.has(name.toLowerCase()));
    if (answer.status === 303 || (method === 'POST' && answer.status < 303)) {
      method = 'GET';
      body = undefined;
    }
  }
}

/** Removes headers that describe the compressed body. */
const replyHeaders = (headers: Headers): [string, string][] =>
  Object.entries(headerFields(headers)).filter(([name]) => name !== 'content-encoding' && name !== 'content-length');

/** Returns the address check: allows an approved private address or name; any other name must resolve to public addresses. */
function judgeFor({ hostname }: URL): (address: string) => Error | undefined {
  const bare = bareHost(hostname);
  const isMeant = literalAddress(hostname) !== undefined || isLoopback(bare) || isInsideName(bare);
  const may = isMeant ? (address: string) => reachOf(address) !== undefined : isPublicAddress;
  return (address) => (may(address) ? undefined : new TypeError(`${bare} resolves to ${address}, to which plugins may not connect.`));
}
