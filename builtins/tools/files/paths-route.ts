// Serves the paths in a chat's workspace, for completion in the message field.
import * as Type from 'typebox';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Route } from 'agent-harness/plugins/http';
import type { FilePorts } from './ports.ts';

const pathsSchema = {
  query: Type.Object(
    {
      chatId: Type.Optional(Type.String()),
      query: Type.Optional(Type.String({ maxLength: 1024, description: 'Letters that the path contains in this order; default: all paths.' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Maximum number of paths; default: 50.' })),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({
    paths: Type.Array(Type.String({ description: 'Path relative to the workspace, with `/`; the path of a folder ends with `/`.' }), {
      description: 'Matching paths, best match first, without paths that .gitignore excludes.',
    }),
    isCut: Type.Boolean({ description: 'Whether the workspace has more files than were searched.' }),
  }),
};

const defaultLimit = 50;

export function pathsRoute(chats: Chats, ports: FilePorts): Route<typeof pathsSchema> {
  return {
    key: 'GET /api/workspace/paths',
    summary: 'Finds files and folders of the workspace of a chat by the letters of their paths.',
    tag: 'chats',
    permission: 'chats.write',
    schema: pathsSchema,
    async handle({ query: { chatId, query = '', limit = defaultLimit }, signal }) {
      const { workspaceRoot } = await chats.peek(chatId);
      const { listPaths } = await import('./search/list-paths.ts');
      return listPaths(workspaceRoot, { query, limit, signal }, ports);
    },
  };
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/workspace/paths': typeof pathsSchema;
  }
}
