// The token where no header can carry it: in a URL, for streams and pages; in the subprotocols of a WebSocket.
import { listIn } from 'agent-harness/lib/text';

const names = ['authToken', 'token'] as const;

type Query = Readonly<Record<string, unknown>>;

/** A route that declares a field of that name means something else by it (a sign-in page's `token`, for example). */
export function tokenInQuery(query: Query, declared: unknown, field?: string): unknown {
  return namesWith(field)
    .filter((name) => !isDeclared(name, declared))
    .map((name) => query[name])
    .find((value) => value !== undefined);
}

export function withoutToken<T>(query: Readonly<Record<string, T>>, declared: unknown, field?: string): Record<string, T> {
  const rest = { ...query };
  for (const name of namesWith(field)) if (!isDeclared(name, declared)) delete rest[name];
  return rest;
}

function namesWith(field: string | undefined): readonly string[] {
  return field === undefined ? names : [...names, field];
}

/** Whether a schema has a field of that name. */
export function isDeclared(name: string, schema: unknown): boolean {
  const { properties = {} } = (schema ?? {}) as { properties?: object };
  return Object.hasOwn(properties, name);
}

const protocolMark = 'token.';

/** A page cannot set headers of a WebSocket, but name protocols: `new WebSocket(url, ['app', 'token.' + token])`. */
export function tokenInProtocols(header: string | undefined): string | undefined {
  return listIn(header ?? '')
    .find(isTokenProtocol)
    ?.slice(protocolMark.length);
}

export function isTokenProtocol(name: string): boolean {
  return name.startsWith(protocolMark);
}
