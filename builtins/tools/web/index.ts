// Web: reads pages and searches, with the code on first use and every address checked when it is connected to.
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import { webFamily } from './family.ts';
import { createPageCache } from './page-cache.ts';
import { webConfig } from './web-config.ts';

export const manifest = { name: 'web', config: webConfig } as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  const pages = createPageCache(Date.now);
  registry.defer(() => pages.clear(), 'pages');
  registry.add('tool_family', webFamily({ settings: registry.config, pages, signal: registry.signal }));
}
