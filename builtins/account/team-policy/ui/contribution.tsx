// Contributes the organisation's rules for this machine to the account page.
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Contribution } from '#page/points/contribution.ts';

export const contribution: Contribution = {
  plugin: 'team-policy',
  parts: [{ slot: 'account', title: 'The policy of the organisation', order: 20, Part: lazyPart(async () => (await import('./org-rules.tsx')).OrgRules) }],
};
