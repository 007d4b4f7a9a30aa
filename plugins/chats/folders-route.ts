// Serves the folders of the server's machine for a folder picker. For owners only, whatever their other permissions for chats.
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import * as Type from 'typebox';
import type { Route } from 'agent-harness/plugins/http';
import { checkFolder } from './store/workspace.ts';

const mostFolders = 1_000;

const schema = {
  query: Type.Object(
    { path: Type.Optional(Type.String({ maxLength: 4096, description: 'Absolute path of the folder; default: the home folder of the user.' })) },
    { additionalProperties: false },
  ),
  reply: Type.Object({
    path: Type.String({ description: 'Real path of the folder, with links resolved.' }),
    parent: Type.Union([Type.String(), Type.Null()]),
    folders: Type.Array(Type.String(), { description: 'Names of the folders in it, without hidden folders and links.' }),
    isCut: Type.Boolean({ description: '`true` if the list is incomplete.' }),
  }),
};

export function createFoldersRoute(invalid: (why: string) => Error): Route {
  return {
    key: 'GET /api/folders',
    summary: "Lists the folders inside a folder of the server's machine.",
    tag: 'chats',
    schema,
    async handle({ query }: { readonly query: { readonly path?: string } }) {
      const checked = await checkFolder(query.path ?? homedir());
      if ('why' in checked) throw invalid(checked.why.replace('workspaceRoot', 'path'));
      const { folder: path } = checked;
      const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
      const names = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name);
      const folders = names.sort((a, b) => a.localeCompare(b)).slice(0, mostFolders);
      return { path, parent: dirname(path) === path ? null : dirname(path), folders, isCut: names.length > mostFolders };
    },
  };
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/folders': typeof schema;
  }
}
