// Serves the folders of this machine to a folder picker: to the owner only, regardless of other chat permissions.
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import * as Type from 'typebox';
import type { Route } from 'agent-harness/plugins/http';
import { checkFolder } from './store/workspace.ts';

const mostFolders = 1_000;

const schema = {
  query: Type.Object(
    { path: Type.Optional(Type.String({ maxLength: 4096, description: 'Absolute; the home folder of the person when left out.' })) },
    { additionalProperties: false },
  ),
  reply: Type.Object({
    path: Type.String({ description: 'The real one.' }),
    parent: Type.Union([Type.String(), Type.Null()]),
    folders: Type.Array(Type.String(), { description: 'Names; hidden ones and links are left out.' }),
    isCut: Type.Boolean({ description: 'There are more.' }),
  }),
};

export function createFoldersRoute(invalid: (why: string) => Error): Route {
  return {
    key: 'GET /api/folders',
    summary: 'Lists the folders in a folder of this machine.',
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
