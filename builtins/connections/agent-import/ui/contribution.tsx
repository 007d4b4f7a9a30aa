// Contributes the import page, on which sessions of other agents become chats.
import { Import } from 'lucide-react';
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Contribution } from '#page/points/contribution.ts';

export const contribution: Contribution = {
  plugin: 'agent-import',
  pages: [
    {
      page: 'import-agent',
      title: 'Import from another agent',
      icon: Import,
      place: 'begin',
      Page: lazyPart(async () => (await import('./agents-page.tsx')).AgentsPage),
    },
  ],
};
