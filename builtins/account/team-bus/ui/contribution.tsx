// Contributes the team bus to the team page.
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Contribution } from '#page/points/contribution.ts';

export const contribution: Contribution = {
  plugin: 'team-bus',
  parts: [{ slot: 'team', title: 'The bus of the team', order: 20, Part: lazyPart(async () => (await import('./team-bus.tsx')).TeamBus) }],
};
