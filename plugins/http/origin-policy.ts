// Checks the Host and Origin headers of requests, answers CORS preflights, and sets the headers that all replies share.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { plainAddress } from '#lib/hosts';
import { listIn } from '#lib/text';
import type { HttpAddress, Method } from 'agent-harness/plugins/http';
import type { MakeError } from './errors.ts';
import type { OwnedRoute } from './route-table.ts';

export interface OriginSettings {
  /** Additional origins, comma-separated. */
  readonly corsOrigins: string;
  readonly allowedHosts: string;
}

/** `own`: no origin, or this server's origin. `foreign`: another allowed origin. */
export type OriginVerdict = 'own' | 'foreign' | 'refused';

export interface OriginPolicy {
  /** Returns the Host header if it is allowed. */
  allowedHost(request: IncomingMessage): string | undefined;
  /** Classifies the Origin header; `refused` if it is unknown or malformed. Contract: the Host is allowed. */
  judgeOrigin(request: IncomingMessage): OriginVerdict;
  /** Returns whether the `Host` header is a loopback address and neither a foreign page nor a proxy sent the request. */
  looksLocal(request: IncomingMessage): boolean;
  /** Returns whether a foreign page embeds, fetches or preloads the URL, according to fetch metadata; `false` if the user followed a link. */
  isTakenByPage(request: IncomingMessage): boolean;
  /**
   * Returns whether cookies authenticate the request. Browsers also send cookies with requests of foreign pages, so the origin must be this server's; a form,
   * which any page can post, must have an Origin header.
   */
  takesCookies(request: IncomingMessage): boolean;
}

type HostKind = 'loopback' | 'bound' | 'listed';
const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);
const wildcards = new Set(['0.0.0.0', '::']);
/** Matches the names of headers that proxies add: standard names, names used by large providers, and other common names. */
const forwarding =
  /^(?:via|forwarded|cf-.*|x-(?:envoy|azure|amz|amzn|original|arr|scheme|proxy|proto|host|port|remote|server)\b.*)$|forwarded|client-ip|real-ip|remote-(?:ip|addr|user)/;

export function createOriginPolicy(settings: OriginSettings, address: () => HttpAddress | undefined, routes: () => readonly OwnedRoute[]): OriginPolicy {
  function hostKind(text: string, defaultPort: number, request: IncomingMessage): HostKind | undefined {
    const host = parseHost(text);
    const bound = address();
    if (!host || !bound) return undefined;
    const port = host.port ?? defaultPort;
    if (port === bound.port && loopbackNames.has(host.name)) return 'loopback';
    // If the server is bound to all addresses, its own address is the one to which the client connected.
    const own = wildcards.has(bound.host) ? plainAddress(request.socket.localAddress ?? '') : bound.host;
    if (port === bound.port && host.name === bracketed(own).toLowerCase()) return 'bound';
    return listOf(settings.allowedHosts).some((entry) => entry === host.name || entry === `${host.name}:${port}`) ? 'listed' : undefined;
  }

  function isOwnOrigin(origin: URL, request: IncomingMessage): boolean {
    const isHttps = origin.protocol === 'https:';
    const kind = hostKind(origin.host, isHttps ? 443 : 80, request);
    // The server uses http, so https means that there is a proxy, whose host name must be listed.
    return kind === 'listed' || (kind !== undefined && origin.protocol === 'http:');
  }

  function judgeOrigin(request: IncomingMessage): OriginVerdict {
    const text = request.headers.origin;
    if (text === undefined) return 'own';
    const origin = parseOrigin(text);
    if (!origin) return 'refused';
    if (isOwnOrigin(origin, request)) return origin.host === request.headers.host?.toLowerCase() ? 'own' : 'foreign';
    if (listOf(settings.corsOrigins).some((entry) => parseOrigin(entry)?.origin === origin.origin)) return 'foreign';
    return findRoutes(request, routes()).some((one) => one.route.allowsOrigin?.(origin.origin)) ? 'foreign' : 'refused';
  }

  return {
    judgeOrigin,

    takesCookies(request) {
      const { method, headers } = request;
      if (judgeOrigin(request) !== 'own') return false;
      // A foreign page cannot send these requests without an Origin header.
      const isPlain = method === 'GET' || method === 'HEAD' || method === 'DELETE' || /^application\/json\b/i.test(headers['content-type'] ?? '');
      return isPlain || headers.origin !== undefined;
    },

    allowedHost(request) {
      const { host } = request.headers;
      if (host === undefined || countHeader(request, 'host') !== 1) return undefined;
      return hostKind(host, 80, request) ? host : undefined;
    },

    isTakenByPage({ headers }) {
      const site = headers['sec-fetch-site'];
      // A request that has an origin is judged by the origin.
      if (headers.origin !== undefined || (site !== 'cross-site' && site !== 'same-site')) return false;
      const mode = headers['sec-fetch-mode'];
      if (mode === 'no-cors') return true;
      return mode === 'navigate' && (headers['sec-fetch-dest'] !== 'document' || headers['sec-purpose'] !== undefined);
    },

    looksLocal(request) {
      const { headers } = request;
      const host = headers.host ?? '';
      const site = headers['sec-fetch-site'];
      return (
        hostKind(host, 80, request) === 'loopback' &&
        (headers.origin === undefined || headers.origin.toLowerCase() === `http://${host.toLowerCase()}`) &&
        (site === undefined || site === 'same-origin' || site === 'none') &&
        // Browsers and programs use HTTP/1.1; a proxy that adds no headers often does not.
        request.httpVersion === '1.1' &&
        !Object.keys(headers).some((name) => forwarding.test(name))
      );
    },
  };
}

/** Headers of all replies. A page replaces the content security policy with its own. */
const commonHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Sets the common headers on the raw response, because streams and errors of the router also need them. */
export function setCommonHeaders(response: ServerResponse): void {
  for (const [name, value] of Object.entries(commonHeaders)) response.setHeader(name, value);
}

export interface OriginCheckParts {
  readonly productName: string;
  /** Name of the environment variable with further host names. */
  readonly hostsVariable: string;
  readonly makeError: MakeError;
}

/** Checks Host and Origin of a request. Throws `HOST_NOT_ALLOWED`, `ORIGIN_NOT_ALLOWED` or `INVALID_REQUEST`. */
export function checkOrigin(request: IncomingMessage, policy: OriginPolicy, { makeError, hostsVariable }: OriginCheckParts): void {
  const { headers, url } = request;
  if (policy.allowedHost(request) === undefined) throw makeError('HOST_NOT_ALLOWED', { host: headers.host ?? '', variable: hostsVariable });
  if (policy.judgeOrigin(request) === 'refused') throw makeError('ORIGIN_NOT_ALLOWED', { origin: headers.origin });
  if (policy.isTakenByPage(request)) throw makeError('ORIGIN_NOT_ALLOWED', { origin: 'another site' });
  // The absolute form (`GET http://elsewhere/`) contains a host that was not checked.
  if (!url?.startsWith('/')) throw makeError('INVALID_REQUEST', { pointer: '', rule: 'url', why: 'the path must begin with a slash.' });
}

/** Sets the CORS headers. Contract: {@link checkOrigin} has passed. Returns whether the request is a preflight, which no route handles. */
export function setCorsHeaders(request: IncomingMessage, response: ServerResponse, policy: OriginPolicy, productName: string): boolean {
  response.setHeader('vary', 'Origin');
  const { origin } = request.headers;
  if (origin === undefined) return false;
  // Allows no credentials, because a foreign page uses its own token and no cookie.
  if (policy.judgeOrigin(request) === 'foreign') response.setHeader('access-control-allow-origin', origin);
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false;
  response.setHeader('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE');
  response.setHeader('access-control-allow-headers', `authorization, content-type, last-event-id, x-${productName.toLowerCase()}-token`);
  response.setHeader('access-control-max-age', '600');
  return true;
}

/** Returns the URL of a bound address; a wildcard address becomes the loopback address. */
export function urlOf(host: string, port: number): string {
  return `http://${bracketed(wildcards.has(host) ? '127.0.0.1' : host)}:${port}`;
}

/** Returns the routes with `allowsOrigin` that match the request, or the request that a preflight announces. */
function findRoutes(request: IncomingMessage, routes: readonly OwnedRoute[]): OwnedRoute[] {
  const asked = request.method === 'OPTIONS' ? request.headers['access-control-request-method'] : request.method;
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  return routes.filter((one) => one.route.allowsOrigin && one.method === (asked as Method) && fits(one.pattern, path));
}

function fits(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const given = path.split('/');
  return wanted.length === given.length && wanted.every((part, at) => part === given[at] || (part.startsWith(':') && given[at] !== ''));
}

function parseHost(text: string): { name: string; port?: number } | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::(\d{1,5}))?$/i.exec(text);
  if (!match?.[1]) return undefined;
  return { name: match[1].toLowerCase(), ...(match[2] === undefined ? {} : { port: Number(match[2]) }) };
}

/** Parses an Origin header; returns `undefined` for `null` (the origin of sandboxed frames and files) and for invalid origins. */
function parseOrigin(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return (url.protocol === 'http:' || url.protocol === 'https:') && url.origin === text.toLowerCase() ? url : undefined;
}

/** Splits a comma-separated list; returns the items in lower case, without trailing slashes. */
function listOf(text: string): string[] {
  return listIn(text.toLowerCase().replace(/\/\s*(?=,|$)/g, ''));
}

function countHeader(request: IncomingMessage, name: string): number {
  return request.rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === name).length;
}

function bracketed(host: string): string {
  // Avoids Node's `isIPv6`, whose pattern takes milliseconds to compile at startup.
  return host.includes(':') ? `[${host}]` : host;
}
