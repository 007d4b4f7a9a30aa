// Registers the web UI: serves the page that `npm run build` creates; its files are read on the first request.
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/storage';
import { createPageMetas } from './page-metas.ts';
import { createPageRoutes } from './page-routes.ts';

export const manifest = {
  name: 'web-ui',
  requires: ['product', 'webToken', 'kernel'],
  errors: {
    NOT_FOUND: { message: "The page has no file '{name}'.", status: 404 },
    NOT_BUILT: { message: "The page is not built. Run 'npm run build' in the folder of the package, then reload the page.", status: 503 },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, _emitter: Emitter): void {
  const metas = createPageMetas(registry.services.kernel, registry.log);
  registry.point('page_meta', metas.point);
  const routes = createPageRoutes({
    metas,
    services: registry.services,
    findFolder: async () => (await import('#lib/page-files')).builtPage(import.meta.dirname, 'web'),
    makeError: registry.error.bind(registry),
  });
  for (const route of routes) registry.add('route', route);
}
