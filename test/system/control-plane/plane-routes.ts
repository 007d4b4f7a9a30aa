// Reads the routes of a control plane from its OpenAPI document and sends a generated request to each.
import type { Plane } from '../../helpers/plane.ts';
import { instanceOf } from './schema-instance.ts';

export const roles = ['viewer', 'member', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

export interface PlaneRoute {
  readonly method: string;
  readonly pattern: string;
  /** Minimum role. Undefined if the route is open to all. */
  readonly role?: Role;
  readonly entitlement?: string;
  readonly isOpen: boolean;
  readonly parameters: readonly { readonly name: string; readonly in: 'path' | 'query'; readonly required: boolean; readonly schema: unknown }[];
  readonly body?: unknown;
}

export function readRoutes(document: Record<string, unknown>): PlaneRoute[] {
  return Object.entries(document['paths'] as Record<string, Record<string, any>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({
      method: method.toUpperCase(),
      pattern: path,
      ...(one['x-role'] === undefined ? {} : { role: one['x-role'] as Role }),
      ...(one['x-entitlement'] === undefined ? {} : { entitlement: one['x-entitlement'] as string }),
      isOpen: one['security'] !== undefined,
      parameters: (one['parameters'] ?? []) as PlaneRoute['parameters'],
      body: one['requestBody']?.content?.['application/json']?.schema as unknown,
    })),
  );
}

export interface Sender {
  readonly cookie?: string;
  readonly token?: string;
  readonly text?: string;
}

export interface Sent {
  readonly route: string;
  readonly status: number;
  readonly code?: string;
  /** Seconds. */
  readonly retryAfter?: number;
  readonly text: string;
}

/** Parameters take the value of `fill`, else one generated from their schema. A stream is closed once it is open. */
export async function sendTo(
  plane: Pick<Plane, 'url'>,
  route: PlaneRoute,
  who: Sender,
  fill: (name: string) => string | undefined = () => undefined,
): Promise<Sent> {
  const drawn = (schema: unknown): string => {
    const value = instanceOf(schema, who.text ?? 'some') ?? 'x';
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  const valueOf = (name: string, schema: unknown): string => encodeURIComponent(fill(name) ?? drawn(schema));
  let path = route.pattern;
  const query: string[] = [];
  for (const one of route.parameters) {
    if (one.in === 'path') path = path.replace(`{${one.name}}`, valueOf(one.name, one.schema));
    else if (one.required || fill(one.name) !== undefined) query.push(`${one.name}=${valueOf(one.name, one.schema)}`);
  }
  const leave = new AbortController();
  const reply = await fetch(`${plane.url}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`, {
    method: route.method,
    redirect: 'manual',
    signal: leave.signal,
    headers: {
      ...(route.body === undefined ? {} : { 'content-type': 'application/json' }),
      // Same origin as the control plane page.
      ...(who.cookie === undefined ? {} : { cookie: who.cookie, origin: plane.url }),
      ...(who.token === undefined ? {} : { authorization: `Bearer ${who.token}` }),
    },
    ...(route.body === undefined ? {} : { body: JSON.stringify(instanceOf(route.body, who.text ?? 'some')) }),
  });
  const isStream = reply.headers.get('content-type')?.includes('event-stream') === true;
  const text = isStream ? '' : await reply.text();
  leave.abort();
  const error = text.startsWith('{') ? (JSON.parse(text) as { error?: { code?: string } }).error : undefined;
  const retryAfter = reply.headers.get('retry-after');
  return {
    route: `${route.method} ${route.pattern}`,
    status: reply.status,
    text,
    ...(retryAfter === null ? {} : { retryAfter: Number(retryAfter) }),
    ...(error?.code === undefined ? {} : { code: error.code }),
  };
}
