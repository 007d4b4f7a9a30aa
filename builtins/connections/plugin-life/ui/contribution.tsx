// Contributes the section for installing plugins to the plugins page.
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Contribution } from '#page/points/contribution.ts';

export const contribution: Contribution = {
  plugin: 'plugin-life',
  parts: [{ slot: 'plugins', title: 'Install a plugin', Part: lazyPart(async () => (await import('./install-plugin.tsx')).InstallPlugin) }],
};
