// Contributes the push switch to the browser settings of the page.
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Contribution } from '#page/points/contribution.ts';

export const contribution: Contribution = {
  plugin: 'push',
  parts: [
    {
      slot: 'notifications',
      title: 'Notifications while the page is closed',
      permission: 'chats.read',
      Part: lazyPart(async () => (await import('./push-switch.tsx')).PushSwitch),
    },
  ],
};
