// Contributes the list of dream runs to the memory page.
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Contribution } from '#page/points/contribution.ts';

export const contribution: Contribution = {
  plugin: 'dream',
  parts: [{ slot: 'knowledge', title: 'Dreams', order: 10, Part: lazyPart(async () => (await import('./dreams.tsx')).Dreams) }],
};
