// Contributes files to the page: the workspace beside a chat, a file viewer, and sandboxed previews.
import { Eye, FolderTree } from 'lucide-react';
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Contribution } from '#page/points/contribution.ts';
import { openPane } from '#page/points/pane.ts';

export const contribution: Contribution = {
  plugin: 'files',
  paneTabs: [
    {
      ...{ tab: 'files', title: 'Files', icon: FolderTree, order: 20, permission: 'chats.write' },
      View: lazyPart(async () => (await import('./files-pane.tsx')).FilesPane),
    },
    {
      ...{ tab: 'preview', title: 'Preview', icon: Eye, order: 30, permission: 'chats.write' },
      View: lazyPart(async () => (await import('./preview-pane.tsx')).PreviewPane),
    },
  ],
  mentions: [
    {
      title: 'Files',
      permission: 'chats.write',
      async find(client, chatId, query, signal) {
        const { paths } = await client.call('GET /api/workspace/paths', { query: { chatId, query, limit: 20 }, signal });
        return paths.map((path) => ({ text: path, insert: `@${path}`, ...(path.endsWith('/') ? { goesOn: true as const } : {}) }));
      },
    },
  ],
  async hasFile(client, chatId, name) {
    // The file with exactly that path comes first; other files match only partly.
    const { paths } = await client.call('GET /api/workspace/paths', { query: { chatId, query: name, limit: 20 } });
    return paths.includes(name);
  },
  openFile: (client, path, line) => openPane(client, 'files', line === undefined ? path : `${path}:${line}`),
};
