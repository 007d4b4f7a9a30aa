// Contributes push to the page: a switch among the settings of this browser.
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
