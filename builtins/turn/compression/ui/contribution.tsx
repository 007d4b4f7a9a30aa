// Contributes compression to the page: context usage beside the message field.
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Contribution } from '#page/points/contribution.ts';

export const contribution: Contribution = {
  plugin: 'compression',
  parts: [
    {
      slot: 'composer',
      title: 'Context',
      order: 20,
      permission: 'chats.read',
      Part: lazyPart(async () => (await import('./context-ring.tsx')).ContextRing),
    },
    {
      slot: 'composer-menu',
      title: 'Context',
      // Placed before all other items, because the usage is loaded when the menu opens.
      order: 0,
      permission: 'chats.read',
      Part: lazyPart(async () => (await import('./context-item.tsx')).ContextItem),
    },
  ],
};
