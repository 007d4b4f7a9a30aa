// Plugins of others in the page: what indexes list, looked at and installed.
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Contribution } from '#page/points/contribution.ts';

export const contribution: Contribution = {
  plugin: 'plugin-life',
  parts: [{ slot: 'plugins', title: 'Plugins of others', Part: lazyPart(async () => (await import('./browse-plugins.tsx')).BrowsePlugins) }],
};
