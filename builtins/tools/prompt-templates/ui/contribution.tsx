// Contributes the page of prompt templates, on which users create, change and delete them.
import { NotebookPen } from 'lucide-react';
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Contribution } from '#page/points/contribution.ts';

export const contribution: Contribution = {
  plugin: 'prompt-templates',
  pages: [
    {
      page: 'prompts',
      title: 'Prompts',
      words: 'templates snippets commands slash saved prompts',
      icon: NotebookPen,
      order: 27,
      permission: 'chats.manage',
      Page: lazyPart(async () => (await import('./prompts-page.tsx')).PromptsPage),
    },
  ],
};
