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
const name = Type.String({ pattern: namePattern, description: 'The tools of the server begin with it.' });

const auth = Type.Union(
  [
    Type.Object({ kind: Type.Literal('bearer'), token: text(20_000) }, strict),
    Type.Object({ kind: Type.Literal('header'), name: text(100), value: text(20_000) }, strict),
    Type.Object(
      {
        kind: Type.Literal('oauth'),
        clientId: Type.Optional(text(2_000, 'Given by the other side beforehand; registered on its own when left out.')),
        clientSecret: Type.Optional(text(20_000)),
        clientMetadataUrl: Type.Optional(
          text(2_000, 'Address of a document about this client, for authorization servers that use it as the id of the client.'),
        ),
        scope: Type.Optional(text(2_000, 'Requested if the server names none.')),
      },
      { ...strict, description: 'A person signs in with a browser.' },
    ),
    Type.Object(
      {
        kind: Type.Literal('client_credentials'),
        clientId: text(2_000),
        clientSecret: Type.Optional(text(20_000)),
        privateKey: Type.Optional(text(20_000, 'PKCS #8, PEM; in place of a secret.')),
        algorithm: Type.Optional(text(20, 'Of the privateKey, such as ES256.')),
        scope: Type.Optional(text(2_000)),
      },
      { ...strict, description: 'The client itself may, without a person.' },
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
      { ...strict, description: 'A user who is signed in at an identity provider gets access by it (cross-app access).' },
    ),
  ],
  { description: 'With a url only. Kept sealed.' },
);
const adding = {
  body: Type.Object(
    {
      name,
      url: Type.Optional(text(2_000, 'Of a server that is reached by HTTP. Either this or a command.')),
      command: Type.Optional(text(4_000, 'A program that speaks MCP on its standard input and output.')),
      args: Type.Optional(Type.Array(Type.String({ maxLength: 20_000 }), { maxItems: 200 })),
      env: Type.Optional(
        Type.Record(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,199}$' }), Type.String({ maxLength: 20_000 }), {
          additionalProperties: false,
          maxProperties: 200,
          description: 'On top of PATH, HOME and LANG. Kept sealed.',
        }),
      ),
      cwd: Type.Optional(text(4_096, 'Absolute; the home folder when left out.')),
      auth: Type.Optional(auth),
      autoApproveReads: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'Whether tools that the server says only read go ahead without asking, until text from outside was read.',
        }),
      ),
      timeoutMs: Type.Optional(Type.Integer({ minimum: 1_000, maximum: 3_600_000, description: 'For a call, in milliseconds; 60,000 when left out.' })),
    },
    strict,
  ),
  reply: Type.Object({
    ok: Type.Boolean(),
    toolCount: Type.Integer(),
    tools: Type.Array(Type.Object({ name: Type.String({ description: 'As the server calls it.' }), description: Type.String() })),
    error: Type.Optional(Type.String({ description: 'Tools that were left out, and why.' })),
    authorizeUrl: Type.Optional(Type.String({ description: 'The user must sign in there first, within 10 minutes.' })),
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
        { maxItems: 100, description: 'All of them; none takes back what was brought.' },
      ),
    },
    strict,
  ),
  reply: Type.Object({
    servers: Type.Array(
      Type.Object({ name: Type.String(), toolCount: Type.Integer(), error: Type.Optional(Type.String({ description: 'Why it cannot be used.' })) }),
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
      summary: 'Connects an MCP server, by its command or its url; one of that name is replaced.',
      tag,
      schema: adding,
      // Waits until all plugins are loaded, so that tools do not take their names.
      waitsForReady: true,
      async handle({ body }) {
        const { offer, authorizeUrl } = await saved.add(body);
        return { ...shownOffer(offer), ...(authorizeUrl === undefined ? {} : { authorizeUrl }) };
      },
    }),
    route({
      key: 'POST /api/integrations/mcp/:name/test',
      summary: 'Connects an MCP server anew and reads what it offers.',
      tag,
      schema: testing,
      waitsForReady: true,
      handle: async ({ params }) => shownOffer(await saved.test(params.name)),
    }),
    route({
      key: 'PUT /api/chats/:id/mcp',
      summary: 'Brings MCP servers to a chat, in place of those brought before: for that chat, and until the server ends.',
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
      summary: 'Ends an MCP server and forgets it, with its secrets.',
      tag,
      schema: removing,
      waitsForReady: true,
      handle: ({ params }) => saved.remove(params.name).then(() => ({ ok: true })),
    }),
    route({
      key: 'GET /api/integrations/mcp/:name/callback',
      summary: 'Finishes the sign-in at an MCP server by redirect and shows a page.',
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
