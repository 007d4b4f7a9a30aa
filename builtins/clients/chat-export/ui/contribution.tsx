// Contributes export and import of chats to the page.
import { Download, Upload } from 'lucide-react';
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Contribution } from '#page/points/contribution.ts';

export const contribution: Contribution = {
  plugin: 'chat-export',
  pages: [
    {
      page: 'export',
      title: 'Export',
      icon: Download,
      place: 'chat',
      permission: 'chats.read',
      Page: lazyPart(async () => (await import('./export-page.tsx')).ExportPage),
    },
    {
      page: 'import-file',
      title: 'Import a chat from a file',
      icon: Upload,
      place: 'begin',
      permission: 'chats.manage',
      Page: lazyPart(async () => (await import('./import-page.tsx')).ImportPage),
    },
  ],
};
