// The page in the browser: one HTML file and its scripts, read on the first request.
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/storage';

export const manifest = {
  name: 'web-ui',
  requires: ['product', 'webToken'],
  errors: { NOT_FOUND: { message: "The page has no file '{name}'.", status: 404 } },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, _emitter: Emitter): void {
  const load = () => import('./serve-page.ts');
  registry.add('route', {
    key: 'GET /',
    summary: 'The page for browsers; it carries the token for visitors who may have it.',
    tag: 'page',
    schema: {},
    auth: 'open',
    isRaw: true,
    mediaType: 'text/html',
    handle: async (context) => (await load()).serveIndex(context, registry.services),
  });
  registry.add('route', {
    key: 'GET /assets/:name',
    summary: 'A script or style sheet of the page.',
    tag: 'page',
    schema: {},
    auth: 'open',
    isRaw: true,
    mediaType: 'text/*',
    handle: async (context) => (await load()).serveAsset(context, (name) => registry.error('NOT_FOUND', { name })),
  });
}
