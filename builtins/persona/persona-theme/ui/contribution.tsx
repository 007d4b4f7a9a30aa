// Contributes the persona's theme to the page: applies the theme, and adds an editor.
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Contribution } from '#page/points/contribution.ts';
import { LookFollower } from './look-follower.tsx';

export const contribution: Contribution = {
  plugin: 'persona-theme',
  parts: [
    { slot: 'cover', title: 'Theme of the page', permission: 'server.read', Part: LookFollower },
    { slot: 'character', title: 'Theme', order: 20, Part: lazyPart(async () => (await import('./look-editor.tsx')).LookEditor) },
  ],
};
