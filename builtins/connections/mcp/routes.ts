// Serves MCP servers over HTTP: adding, removing, and the redirect after a sign-in.
import * as Type from 'typebox';
import type { Static } from 'typebox';
import type { Route, RouteContext, RouteSchema } from 'agent-harness/plugins/http';
import type { ServerOffer } from './server/offer.ts';
import { namePattern } from './saved/server-spec.ts';
import type { ConnectedMcp } from './transport/connect-mcp.ts';

/** Page that the browser shows after a sign-in at an MCP server. */
const signedInPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Connected</title>
<h1>The server is connected.</h1>
<p>You can close this page and go back to the application.</p>
</html>
`;

const strict = { additionalProperties: false } as const;
const tag = 'integrations';
const text = (maxLength: number, description?: string) => Type.String({ minLength: 1, maxLength, ...(description === undefined ? {} : { description }) });
const name = Type.String({ pattern: namePattern, description: 'Name of the server; the names of its tools begin with it.' });

const auth = Type.Union(
  [
    Type.Object({ kind: Type.Literal('bearer'), token: text(20_000) }, strict),
    Type.Object({ kind: Type.Literal('header'), name: text(100), value: text(20_000) }, strict),
    Type.Object(
      {
        kind: Type.Literal('oauth'),
        clientId: Type.Optional(text(2_000, 'Client id issued by the server in advance; registered dynamically when left out.')),
        clientSecret: Type.Optional(text(20_000)),
        clientMetadataUrl: Type.Optional(text(2_000, 'Address of the client metadata document, for authorization servers that use it as the client id.')),
        scope: Type.Optional(text(2_000, 'Scopes that are requested if the server names none.')),
      },
      { ...strict, description: 'The user signs in with a browser.' },
    ),
    Type.Object(
      {
        kind: Type.Literal('client_credentials'),
        clientId: text(2_000),
        clientSecret: Type.Optional(text(20_000)),
        privateKey: Type.Optional(text(20_000, 'Private key in PKCS #8 PEM format, instead of a secret.')),
        algorithm: Type.Optional(text(20, 'Algorithm of the privateKey, such as ES256.')),
        scope: Type.Optional(text(2_000)),
      },
      { ...strict, description: 'The client itself is authorised, without a user.' },
    ),
    Type.Object(
      {
        kind: Type.Literal('cross_app'),
        clientId: text(2_000),
        clientSecret: Type.Optional(text(20_000)),
        idpTokenEndpoint: text(2_000),
        idpClientId: text(2_000),
        idpClientSecret: Type.Optional(text(20_000)),
        idToken: text(20_000),
        scope: Type.Optional(text(2_000)),
      },
      { ...strict, description: 'Cross-app access: the identity provider exchanges the token of a signed-in user.' },
    ),
  ],
  { description: 'Authentication, only with a url. Stored encrypted.' },
);
const adding = {
  body: Type.Object(
    {
      name,
      url: Type.Optional(text(2_000, 'URL of a server over HTTP. Either this or a command.')),
      command: Type.Optional(text(4_000, 'A program that speaks MCP on its standard input and output.')),
      args: Type.Optional(Type.Array(Type.String({ maxLength: 20_000 }), { maxItems: 200 })),
      env: Type.Optional(
        Type.Record(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,199}$' }), Type.String({ maxLength: 20_000 }), {
          additionalProperties: false,
          maxProperties: 200,
          description: 'Variables in addition to PATH, HOME and LANG. Stored encrypted.',
        }),
      ),
      cwd: Type.Optional(text(4_096, 'Absolute path of the working folder; the home folder when left out.')),
      auth: Type.Optional(auth),
      autoApproveReads: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'Whether tools that the server declares as read-only need no approval, until external content was read.',
        }),
      ),
      timeoutMs: Type.Optional(Type.Integer({ minimum: 1_000, maximum: 3_600_000, description: 'Time limit of a call in milliseconds; default: 60,000.' })),
    },
    strict,
  ),
  reply: Type.Object({
    ok: Type.Boolean(),
    toolCount: Type.Integer(),
    tools: Type.Array(Type.Object({ name: Type.String({ description: 'Name of the tool on the server.' }), description: Type.String() })),
    error: Type.Optional(Type.String({ description: 'Omitted tools, with reasons.' })),
    authorizeUrl: Type.Optional(Type.String({ description: 'Address at which the user must sign in first, within 10 minutes.' })),
  }),
};
const chatParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 200 }) });
const headers = Type.Record(Type.String({ minLength: 1, maxLength: 200 }), Type.String({ maxLength: 20_000 }), { maxProperties: 50 });
const bringing = {
  params: chatParams,
  body: Type.Object(
    {
      servers: Type.Array(
        Type.Union([
          Type.Object({ name, ...Type.Pick(adding.body, ['args', 'env', 'cwd']).properties, command: text(4_000) }, strict),
          Type.Object({ name, url: text(2_000), headers: Type.Optional(headers) }, strict),
        ]),
        { maxItems: 100, description: 'All servers of the chat; an empty list removes the earlier ones.' },
      ),
    },
    strict,
  ),
  reply: Type.Object({
    servers: Type.Array(
      Type.Object({
        name: Type.String(),
        toolCount: Type.Integer(),
        error: Type.Optional(Type.String({ description: 'Reason why the server cannot be used.' })),
      }),
    ),
  }),
};
const testing = { params: Type.Object({ name }), reply: Type.Omit(adding.reply, ['authorizeUrl']) };
const removing = { params: Type.Object({ name }), reply: Type.Object({ ok: Type.Boolean() }) };
const comingBack = {
  params: Type.Object({ name }),
  query: Type.Object(
    { code: Type.Optional(text(10_000)), state: text(500), iss: Type.Optional(text(2_000)), error: Type.Optional(Type.String()) },
    { additionalProperties: true },
  ),
};

export function createMcpRoutes(
  { saved, sessionServers }: Pick<ConnectedMcp, 'saved' | 'sessionServers'>,
  hasChat: (chatId: string) => Promise<unknown>,
): Route[] {
  return [
    route({
      key: 'POST /api/integrations/mcp',
      summary: 'Connects an MCP server by its command or URL; replaces a server of the same name.',
      tag,
      schema: adding,
      // Waits until all plugins are loaded, so that the tools of servers do not take the names of plugin tools.
      waitsForReady: true,
      async handle({ body }) {
        const { offer, authorizeUrl } = await saved.add(body);
        return { ...shownOffer(offer), ...(authorizeUrl === undefined ? {} : { authorizeUrl }) };
      },
    }),
    route({
      key: 'POST /api/integrations/mcp/:name/test',
      summary: 'Reconnects an MCP server and reads its tools.',
      tag,
      schema: testing,
      waitsForReady: true,
      handle: async ({ params }) => shownOffer(await saved.test(params.name)),
    }),
    route({
      key: 'PUT /api/chats/:id/mcp',
      summary: 'Sets the MCP servers that a client adds to a chat, until the server stops. Replaces the earlier ones.',
      tag,
      schema: bringing,
      waitsForReady: true,
      async handle({ params, body }) {
        await hasChat(params.id);
        return { servers: await sessionServers.bring(params.id, body.servers) };
      },
    }),
    route({
      key: 'DELETE /api/integrations/mcp/:name',
      summary: 'Disconnects an MCP server and deletes it with its secrets.',
      tag,
      schema: removing,
      waitsForReady: true,
      handle: ({ params }) => saved.remove(params.name).then(() => ({ ok: true })),
    }),
    route({
      key: 'GET /api/integrations/mcp/:name/callback',
      summary: 'Finishes the sign-in to an MCP server after the redirect, and returns a page.',
      tag,
      schema: comingBack,
      auth: 'open',
      isGuessable: true,
      mediaType: 'text/html',
      async handle({ params, query }: RouteContext<typeof comingBack>) {
        const { code, error, iss, state } = query;
        await saved.finishSignIn(params.name, state, code === undefined || error !== undefined ? undefined : { code, ...(iss === undefined ? {} : { iss }) });
        return signedInPage;
      },
    }),
  ];
}

function shownOffer({ tools, faults }: ServerOffer): Static<typeof testing.reply> {
  return {
    ok: true,
    toolCount: tools.length,
    tools: tools.map((tool) => ({ name: tool.name, description: tool.description })),
    ...(faults.length > 0 ? { error: faults.join(' ') } : {}),
  };
}

/** Checks each handler against its own schema; the returned type erases the schema. */
function route<S extends RouteSchema>(one: Route<S>): Route {
  return one;
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'POST /api/integrations/mcp': typeof adding;
    'POST /api/integrations/mcp/:name/test': typeof testing;
    'PUT /api/chats/:id/mcp': typeof bringing;
    'DELETE /api/integrations/mcp/:name': typeof removing;
    'GET /api/integrations/mcp/:name/callback': typeof comingBack;
  }
}
