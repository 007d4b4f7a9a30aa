// Contributes the state of notes sync to the account page.
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Contribution } from '#page/points/contribution.ts';

export const contribution: Contribution = {
  plugin: 'notes-sync',
  parts: [{ slot: 'account', title: 'Synchronised notes', order: 10, Part: lazyPart(async () => (await import('./notes-sync.tsx')).NotesSync) }],
};
