// What the organisation lays down for this machine: a part of the page about the account.
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Contribution } from '#page/points/contribution.ts';

export const contribution: Contribution = {
  plugin: 'team-policy',
  parts: [{ slot: 'account', title: 'The policy of the organisation', order: 20, Part: lazyPart(async () => (await import('./org-rules.tsx')).OrgRules) }],
};
