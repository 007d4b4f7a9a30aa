// Contributes the memory page to the web UI.
import { Brain } from 'lucide-react';
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Contribution } from '#page/points/contribution.ts';
import { t } from '#page/kit/t.ts';

export const contribution: Contribution = {
  plugin: 'memory',
  mentions: [
    {
      title: 'Notes',
      async find(client, chatId, query, signal) {
        if (query === '') return [];
        const { notes } = await client.call('GET /api/memory', { query: { chatId, q: query, limit: 5 }, signal });
        return notes.map(({ key, value }) => ({ text: key, hint: value.slice(0, 80), insert: t('the note “{key}”', { key }) }));
      },
    },
  ],
  pages: [
    {
      page: 'memory',
      title: 'Memory',
      words: 'notes remember forget knowledge',
      icon: Brain,
      order: 20,
      Page: lazyPart(async () => (await import('./memory-page.tsx')).MemoryPage),
    },
  ],
};
