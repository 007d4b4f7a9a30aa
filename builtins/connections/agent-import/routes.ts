// Serves the import of other agents' data over HTTP; for the owner only, because it reads files outside every workspace.
import * as Type from 'typebox';
import type { Route, RouteSchema } from 'agent-harness/plugins/http';
import type { AgentImport } from './agent-import.ts';

const strict = { additionalProperties: false } as const;
const tag = 'import';
const agent = Type.Union([Type.Literal('claude-code'), Type.Literal('codex'), Type.Literal('opencode')]);
const byAgent = Type.Object({ agent });

const listing = {
  params: byAgent,
  reply: Type.Object({
    title: Type.String(),
    sessions: Type.Array(
      Type.Object({
        id: Type.String(),
        title: Type.String(),
        folder: Type.Optional(Type.String({ description: 'Absolute path of the working folder of the session.' })),
        updatedAt: Type.String(),
        bytes: Type.Integer({ description: 'Size in bytes; 0 if it is known only after reading.' }),
        chatId: Type.Optional(Type.String({ description: 'Id of the imported chat.' })),
        isInTrash: Type.Optional(Type.Boolean({ description: 'The chat was deleted and can be restored.' })),
      }),
      { description: 'Sessions, newest first.' },
    ),
    servers: Type.Array(
      Type.Object({
        name: Type.String(),
        command: Type.Optional(Type.String({ description: 'Command line of the server, without likely secrets.' })),
        url: Type.Optional(Type.String()),
        variables: Type.Array(Type.String(), { description: 'Names of its variables and headers; their values are not returned.' }),
        file: Type.String(),
        isHere: Type.Boolean({ description: 'A connection of this name exists.' }),
      }),
    ),
    rules: Type.Array(
      Type.Object({
        path: Type.String(),
        scope: Type.Union([Type.Literal('global'), Type.Literal('workspace')]),
        characters: Type.Integer(),
        becomes: Type.Union([Type.Literal('note'), Type.Literal('AGENTS.md'), Type.Literal('nothing')], {
          description: '`nothing`: the folder has an AGENTS.md, which is already read.',
        }),
      }),
    ),
    notes: Type.Array(Type.String(), { description: 'The parts that cannot be imported, with the reasons.' }),
  }),
};
const pickedFolder = Type.Optional(
  Type.String({ maxLength: 4096, description: 'Absolute path of the workspace that the user picked; default: an empty folder.' }),
);
const taking = {
  params: Type.Object({ agent, id: Type.String({ minLength: 1, maxLength: 200 }) }),
  body: Type.Object({ workspaceRoot: pickedFolder }, strict),
  reply: Type.Object({
    chatId: Type.String(),
    isNew: Type.Boolean({ description: 'false if it was imported before.' }),
    isInTrash: Type.Boolean(),
    turns: Type.Integer(),
    brokenLines: Type.Integer({ description: 'Number of lines or files that could not be read and were skipped.' }),
    isCut: Type.Boolean({ description: 'The session exceeded the size limit.' }),
  }),
};
const connecting = {
  params: Type.Object({ agent, name: Type.String({ minLength: 1, maxLength: 32 }) }),
  body: Type.Object({}, strict),
  reply: Type.Object({ name: Type.String(), toolCount: Type.Integer(), authorizeUrl: Type.Optional(Type.String()) }),
};
const ruling = {
  params: byAgent,
  body: Type.Object({}, strict),
  reply: Type.Object({ taken: Type.Array(Type.Object({ path: Type.String(), became: Type.String({ description: 'The result as a sentence.' }) })) }),
};

export function createImportRoutes(load: () => Promise<AgentImport>): Route[] {
  return [
    route({
      key: 'GET /api/import/:agent',
      summary: 'Lists the data of another agent on this machine: sessions, MCP servers, rules.',
      tag,
      schema: listing,
      handle: async ({ params }) => (await load()).list(params.agent),
    }),
    route({
      key: 'POST /api/import/:agent/sessions/:id',
      summary: 'Imports a session of another agent as a chat. A session that was imported before is left unchanged.',
      tag,
      schema: taking,
      handle: async ({ params, body }) => (await load()).take(params.agent, params.id, body.workspaceRoot),
    }),
    route({
      key: 'POST /api/import/:agent/servers/:name',
      summary: 'Connects an MCP server of another agent as if the user had configured it. Its secrets are stored encrypted.',
      tag,
      schema: connecting,
      handle: async ({ params, principal, signal }) => (await load()).connect(params.agent, params.name, principal, signal),
    }),
    route({
      key: 'POST /api/import/:agent/rules',
      summary: 'Imports the rules of another agent: general ones as notes, those of a folder as its AGENTS.md.',
      tag,
      schema: ruling,
      handle: async ({ params, principal, signal }) => (await load()).takeRules(params.agent, principal, signal),
    }),
  ];
}

function route<S extends RouteSchema>(one: Route<S>): Route {
  return one;
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/import/:agent': typeof listing;
    'POST /api/import/:agent/sessions/:id': typeof taking;
    'POST /api/import/:agent/servers/:name': typeof connecting;
    'POST /api/import/:agent/rules': typeof ruling;
  }
}
