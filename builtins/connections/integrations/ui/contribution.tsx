// Contributes the section for accounts at other services, the last section of the connections page.
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Contribution } from '#page/points/contribution.ts';

export const contribution: Contribution = {
  plugin: 'integrations',
  parts: [{ slot: 'connections', title: 'The accounts', order: 30, Part: lazyPart(async () => (await import('./provider-section.tsx')).ProviderSection) }],
};
