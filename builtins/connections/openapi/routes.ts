// Serves the routes that connect and disconnect OpenAPI documents.
import * as Type from 'typebox';
import type { Route } from 'agent-harness/plugins/http';
import type { Connections } from './connections.ts';

/** Maximum size of a request in bytes; escape sequences enlarge a document inside a JSON body. */
const bodyLimit = 16 * 1024 * 1024;

const strict = { additionalProperties: false } as const;
const secret = Type.String({ minLength: 1, maxLength: 8_000, pattern: '^[\\x20-\\x7e]+$' });
/** No pattern: a separate check reports the position of an invalid character. */
const headerText = Type.String({ minLength: 1, maxLength: 8_000 });
const fieldName = Type.String({ minLength: 1, maxLength: 100, pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" });
// RFC 6265, 4.1.1: other characters would end the cookie and start another.
const cookieValue = Type.String({ minLength: 1, maxLength: 8_000, pattern: '^[\\x21\\x23-\\x2b\\x2d-\\x3a\\x3c-\\x5b\\x5d-\\x7e]+$' });
const scheme = {
  scheme: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Security scheme of the document to which the credential belongs.' })),
};
const auth = Type.Union([
  Type.Object({ ...scheme, kind: Type.Literal('header'), name: fieldName, value: headerText }, strict),
  Type.Object({ ...scheme, kind: Type.Literal('query'), name: fieldName, value: secret }, strict),
  Type.Object({ ...scheme, kind: Type.Literal('cookie'), name: fieldName, value: cookieValue }, strict),
  Type.Object({ ...scheme, kind: Type.Literal('bearer'), token: headerText }, strict),
  Type.Object(
    {
      ...scheme,
      kind: Type.Literal('basic'),
      user: Type.String({ maxLength: 500, pattern: '^[^:\\x00-\\x1f]*$' }),
      password: Type.String({ maxLength: 8_000 }),
    },
    strict,
  ),
  Type.Object(
    {
      ...scheme,
      kind: Type.Literal('oauth'),
      provider: Type.String({ minLength: 1, maxLength: 64 }),
      accountId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    },
    strict,
  ),
]);

const name = Type.String({ pattern: '^[a-z][a-z0-9_-]{0,31}$', description: 'Prefix of the names of its tools.' });

const connecting = {
  body: Type.Object(
    {
      name,
      specUrl: Type.Optional(Type.String({ maxLength: 4_000, description: 'Address of the document; either this or spec.' })),
      spec: Type.Optional(Type.Unknown({ description: 'The document: an object, or JSON or YAML text.' })),
      baseUrl: Type.Optional(Type.String({ maxLength: 4_000, description: 'Base address of calls; default: the first server in the document.' })),
      auth: Type.Optional(
        Type.Union([auth, Type.Array(auth, { minItems: 1, maxItems: 10 })], {
          description: 'Several credentials, for a document with several security schemes.',
        }),
      ),
      autoApproveReads: Type.Optional(Type.Boolean({ default: true, description: 'Whether GET and HEAD need no approval.' })),
    },
    strict,
  ),
  reply: Type.Object({
    ok: Type.Boolean(),
    toolCount: Type.Integer(),
    baseUrl: Type.String({ description: 'Address that receives calls and credentials.' }),
    tools: Type.Array(Type.Object({ name: Type.String(), description: Type.String() }), { description: 'The first 200 tools.' }),
  }),
};
const disconnecting = { params: Type.Object({ name: Type.String() }), reply: Type.Object({ ok: Type.Boolean() }) };

export function createConnectionRoutes(connections: Connections): Route[] {
  return [
    route<typeof connecting>({
      key: 'POST /api/integrations/openapi',
      summary: 'Converts the operations of an OpenAPI document to tools; replaces a connection of the same name.',
      tag: 'integrations',
      schema: connecting,
      bodyLimit,
      async handle({ body, signal }) {
        return { ok: true, ...copied(await connections.connect(body, signal)) };
      },
    }),
    route<typeof disconnecting>({
      key: 'DELETE /api/integrations/openapi/:name',
      summary: 'Removes a connection with its tools and its stored data.',
      tag: 'integrations',
      schema: disconnecting,
      async handle({ params }) {
        await connections.disconnect(params.name);
        return { ok: true };
      },
    }),
  ];
}

function copied({ tools, ...rest }: Awaited<ReturnType<Connections['connect']>>): {
  toolCount: number;
  baseUrl: string;
  tools: { name: string; description: string }[];
} {
  return { ...rest, tools: [...tools] };
}

/** Type-checks each handler against its own schema; the returned type erases the schema. */
function route<S extends Route['schema']>(one: Route<S>): Route {
  return one;
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'POST /api/integrations/openapi': typeof connecting;
    'DELETE /api/integrations/openapi/:name': typeof disconnecting;
  }
}
