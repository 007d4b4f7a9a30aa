// Memory in the page: a page of its own.
import { Brain } from 'lucide-react';
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Contribution } from '#page/points/contribution.ts';

export const contribution: Contribution = {
  plugin: 'memory',
  pages: [{ page: 'memory', title: 'Memory', icon: Brain, order: 20, Page: lazyPart(async () => (await import('./memory-page.tsx')).MemoryPage) }],
};
