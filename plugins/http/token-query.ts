// The token in a URL, for streams and pages that cannot send headers.

const names = ['authToken', 'token'] as const;

type Query = Readonly<Record<string, unknown>>;

/** A route that declares a field of that name means something else by it (a sign-in page's `token`, for example). */
export function tokenInQuery(query: Query, declared: unknown): unknown {
  return names
    .filter((name) => !isDeclared(name, declared))
    .map((name) => query[name])
    .find((value) => value !== undefined);
}

export function withoutToken(query: Query, declared: unknown): Record<string, unknown> {
  const rest = { ...query };
  for (const name of names) if (!isDeclared(name, declared)) delete rest[name];
  return rest;
}

function isDeclared(name: string, schema: unknown): boolean {
  const { properties = {} } = (schema ?? {}) as { properties?: object };
  return Object.hasOwn(properties, name);
}
