// Serves `GET /api/integrations`, which lists all accounts and connections.
import * as Type from 'typebox';
import type { Route } from 'agent-harness/plugins/http';
import type { Sources } from './sources.ts';

const account = Type.Object({
  accountId: Type.String(),
  email: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  mode: Type.Union([Type.Literal('read_write'), Type.Literal('read_only')]),
  scopes: Type.Array(Type.String()),
  expiresAt: Type.Optional(Type.String()),
  healthy: Type.Boolean(),
  reachable: Type.Optional(Type.Boolean({ description: '`false` if the last attempt to refresh the token failed.' })),
});

const reply = Type.Object({
  providers: Type.Array(Type.Object({ id: Type.String(), title: Type.String(), kind: Type.String(), status: Type.String(), accounts: Type.Array(account) })),
  connections: Type.Array(
    Type.Object({
      name: Type.String(),
      kind: Type.String({ description: 'Kind of the connection. Entries of a kind are added and removed at `/api/integrations/<kind>`.' }),
      status: Type.String(),
      toolCount: Type.Integer({ minimum: 0 }),
      authorizeUrl: Type.Optional(Type.String()),
      error: Type.Optional(Type.String()),
    }),
  ),
});

const schema = { reply };

export function createListRoute(sources: Sources): Route<typeof schema> {
  return {
    key: 'GET /api/integrations',
    summary: 'Lists all accounts at providers, and the connected MCP servers and OpenAPI documents.',
    tag: 'integrations',
    schema,
    async handle() {
      const [providers, connections] = await Promise.all([sources.providers(), sources.connections()]);
      return {
        providers: providers.map(({ accounts, ...provider }) => ({ ...provider, accounts: accounts.map((one) => ({ ...one, scopes: [...one.scopes] })) })),
        connections,
      };
    },
  };
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/integrations': typeof schema;
  }
}
