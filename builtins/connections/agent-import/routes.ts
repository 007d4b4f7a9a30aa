// Serves the import of other agents' data over HTTP, for the owner only, because it reads files outside of every workspace.
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
        folder: Type.Optional(Type.String({ description: 'In which it worked.' })),
        updatedAt: Type.String(),
        bytes: Type.Integer({ description: '0 if it is known only after reading.' }),
        chatId: Type.Optional(Type.String({ description: 'Of the chat that was made of it.' })),
        isInTrash: Type.Optional(Type.Boolean({ description: 'That chat was deleted and can be restored.' })),
      }),
      { description: 'The newest first.' },
    ),
    servers: Type.Array(
      Type.Object({
        name: Type.String(),
        command: Type.Optional(Type.String({ description: 'With its arguments, without what looks like a secret.' })),
        url: Type.Optional(Type.String()),
        variables: Type.Array(Type.String(), { description: 'Names of variables and headers that it is given; their values are not told.' }),
        file: Type.String(),
        isHere: Type.Boolean({ description: 'A connection has that name.' }),
      }),
    ),
    rules: Type.Array(
      Type.Object({
        path: Type.String(),
        scope: Type.Union([Type.Literal('global'), Type.Literal('workspace')]),
        characters: Type.Integer(),
        becomes: Type.Union([Type.Literal('note'), Type.Literal('AGENTS.md'), Type.Literal('nothing')], {
          description: '`nothing`: the folder has an AGENTS.md, which is read already.',
        }),
      }),
    ),
    notes: Type.Array(Type.String(), { description: 'The parts that cannot be imported, with the reasons.' }),
  }),
};
const pickedFolder = Type.Optional(
  Type.String({ maxLength: 4096, description: 'Absolute path of the folder that the person picked. Without it the chat gets an empty folder.' }),
);
const taking = {
  params: Type.Object({ agent, id: Type.String({ minLength: 1, maxLength: 200 }) }),
  body: Type.Object({ workspaceRoot: pickedFolder }, strict),
  reply: Type.Object({
    chatId: Type.String(),
    isNew: Type.Boolean({ description: 'false if it was imported before.' }),
    isInTrash: Type.Boolean(),
    turns: Type.Integer(),
    brokenLines: Type.Integer({ description: 'Could not be read and were skipped.' }),
    isCut: Type.Boolean({ description: 'It was longer than what is read.' }),
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
  reply: Type.Object({ taken: Type.Array(Type.Object({ path: Type.String(), became: Type.String({ description: 'In a sentence.' }) })) }),
};

export function createImportRoutes(load: () => Promise<AgentImport>): Route[] {
  return [
    route({
      key: 'GET /api/import/:agent',
      summary: 'Lists what another agent keeps on this machine: sessions, MCP servers, rules.',
      tag,
      schema: listing,
      handle: async ({ params }) => (await load()).list(params.agent),
    }),
    route({
      key: 'POST /api/import/:agent/sessions/:id',
      summary: 'Takes a session of another agent over as a chat; one that came in before is left as it is.',
      tag,
      schema: taking,
      handle: async ({ params, body }) => (await load()).take(params.agent, params.id, body.workspaceRoot),
    }),
    route({
      key: 'POST /api/import/:agent/servers/:name',
      summary: 'Connects an MCP server of another agent, as if a person had configured it; its secrets are sealed.',
      tag,
      schema: connecting,
      handle: async ({ params, principal, signal }) => (await load()).connect(params.agent, params.name, principal, signal),
    }),
    route({
      key: 'POST /api/import/:agent/rules',
      summary: 'Takes the rules of another agent over: general ones as notes, those of a folder as its AGENTS.md.',
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
