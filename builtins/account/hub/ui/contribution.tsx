// Contributes the hosted account to the page as the first section of the account page.
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Contribution } from '#page/points/contribution.ts';

export const contribution: Contribution = {
  plugin: 'hub',
  parts: [{ slot: 'account', title: 'The account', Part: lazyPart(async () => (await import('./hub-account.tsx')).HubAccount) }],
};
