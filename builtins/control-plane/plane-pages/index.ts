// Registers the web pages of the control plane: serves the output of `npm run build`, whose files are read on the first request.
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/storage';
import type { PageGuard } from './contract.ts';
import { createPageRoutes } from './page-routes.ts';

export const manifest = {
  name: 'plane-pages',
  requires: ['product'],
  errors: {
    NOT_FOUND: { message: "The control plane's pages have no file '{name}'.", status: 404 },
    NOT_BUILT: { message: "The pages are not built. Run 'npm run build' in the package folder, then reload the page.", status: 503 },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, _emitter: Emitter): void {
  const guards = new Set<PageGuard>();
  registry.point<'page_guard'>('page_guard', { added: (guard) => void guards.add(guard), removed: (guard) => void guards.delete(guard) });
  const routes = createPageRoutes({
    guards: () => guards,
    product: () => registry.services.product,
    findFolder: async () => (await import('#lib/page-files')).builtPage(import.meta.dirname, 'plane-web'),
    makeError: registry.error.bind(registry),
  });
  for (const route of routes) registry.add('route', route);
}
