// Registers the web tools, which read pages and search. Loads their code on first use, and checks every address when connecting.
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/tools/web';
import { createDocumentThreads } from './document-threads.ts';
import { webFamily } from './family.ts';
import { createPageCache } from './page-cache.ts';
import { webConfig } from './web-config.ts';

export const manifest = { name: 'web', provides: ['webFiles'], config: webConfig } as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  const pages = createPageCache(Date.now);
  registry.defer(() => pages.clear(), 'pages');
  const threads = createDocumentThreads();
  registry.defer(() => threads.close(), 'threads');
  registry.provide('webFiles', () => ({
    fetch: async (...given) => (await import('./fetch-file.ts')).createWebFiles(registry.config, registry.signal).fetch(...given),
  }));
  registry.add('tool_family', webFamily({ settings: registry.config, pages, threads, signal: registry.signal }));
}
