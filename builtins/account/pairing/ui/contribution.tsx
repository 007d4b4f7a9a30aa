// Paired devices in the page: a part of the page about the account.
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Contribution } from '#page/points/contribution.ts';

export const contribution: Contribution = {
  plugin: 'pairing',
  parts: [{ slot: 'account', title: 'The paired devices', Part: lazyPart(async () => (await import('./devices.tsx')).Devices) }],
};
