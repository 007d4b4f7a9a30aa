// Reads the token of a request from a header, the query, a WebSocket subprotocol or a cookie.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { listIn } from '#lib/text';

type Query = Readonly<Record<string, unknown>>;

const queryFields = ['authToken', 'token'] as const;
const protocolPrefix = 'token.';

/** Returns the last value of each query field. */
export function queryOf({ url = '' }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(url.split('?', 2)[1]));
}

/**
 * Returns the token in the query.
 * @param declared schema of the query; a field that it declares is not a token (for example, `token` on a sign-in page)
 * @param field additional name of the field that contains the token
 */
export function tokenInQuery(query: Query, declared: unknown, field?: string): unknown {
  return fieldsOf(declared, field)
    .map((name) => query[name])
    .find((value) => value !== undefined);
}

/** Returns a copy of the query without its token. Parameters as for {@link tokenInQuery}. */
export function withoutToken<T>(query: Readonly<Record<string, T>>, declared: unknown, field?: string): Record<string, T> {
  const rest = { ...query };
  for (const name of fieldsOf(declared, field)) delete rest[name];
  return rest;
}

function fieldsOf(declared: unknown, field: string | undefined): readonly string[] {
  return [...queryFields, ...(field === undefined ? [] : [field])].filter((name) => !isDeclared(name, declared));
}

/** Returns whether an object schema has a property of that name. */
export function isDeclared(name: string, schema: unknown): boolean {
  const { properties = {} } = (schema ?? {}) as { properties?: object };
  return Object.hasOwn(properties, name);
}

/** Returns whether a WebSocket subprotocol contains a token. Pages cannot set headers, but can call `new WebSocket(url, ['app', 'token.' + token])`. */
export function isTokenProtocol(name: string): boolean {
  return name.startsWith(protocolPrefix);
}

/**
 * Returns the token of the request: the first one found in the bearer header, the named header, the query and the subprotocols. @param headerName name of the
 * header in lower case
 */
export function tokenOf(headers: IncomingHttpHeaders, headerName: string, inQuery: unknown): string | undefined {
  const bearer = /^Bearer +(\S.*?) *$/i.exec(headers.authorization ?? '')?.[1];
  const inProtocols = listIn(headers['sec-websocket-protocol'] ?? '')
    .find(isTokenProtocol)
    ?.slice(protocolPrefix.length);
  const candidates: unknown[] = [bearer, headers[headerName], inQuery, inProtocols];
  return candidates.find((one): one is string => typeof one === 'string' && one !== '');
}

/** Returns the value, not decoded, of the first cookie with that name. */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at >= 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}
