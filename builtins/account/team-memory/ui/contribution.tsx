// Contributes the team's notes to the team page.
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Contribution } from '#page/points/contribution.ts';

export const contribution: Contribution = {
  plugin: 'team-memory',
  parts: [{ slot: 'team', title: 'Notes of the team', order: 10, Part: lazyPart(async () => (await import('./shared-notes.tsx')).SharedNotes) }],
};
