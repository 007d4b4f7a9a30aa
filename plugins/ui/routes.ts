// Serves the list of panels, and the module of each panel as a script.
import { codeOf } from '#lib/errors';
import * as Type from 'typebox';
import type { KernelError } from 'agent-harness/kernel';
import type { Route } from 'agent-harness/plugins/http';
import { places, slots } from './check-panel.ts';
import type { PanelRegistry } from './panel-registry.ts';

const texts = Type.Array(Type.String());
const row = Type.Object({
  id: Type.String(),
  title: Type.String(),
  slot: Type.Union(slots.map((slot) => Type.Literal(slot))),
  icon: Type.Optional(Type.String()),
  place: Type.Optional(Type.Union(places.map((place) => Type.Literal(place)))),
  order: Type.Optional(Type.Number()),
  tools: Type.Optional(texts),
  events: Type.Optional(texts),
  uses: Type.Optional(Type.Object({ routes: Type.Optional(texts), events: Type.Optional(texts) })),
  plugin: Type.String(),
  url: Type.String({ description: 'URL of the module. It contains the key that authorizes reading the module, so keep it secret.' }),
});
const listing = { reply: Type.Object({ panels: Type.Array(row) }) };

type MakeError = (reason: 'NOT_FOUND' | 'MODULE_UNREADABLE', details: Readonly<Record<string, unknown>>, cause?: unknown) => KernelError;

export function createListRoute(panels: PanelRegistry): Route<typeof listing> {
  return {
    key: 'GET /api/ui/panels',
    summary: 'Lists the panels that plugins add to the page.',
    tag: 'page',
    permission: 'server.read',
    schema: listing,
    waitsForReady: true,
    async handle() {
      const { describePanel } = await import('./panel-modules.ts');
      return { panels: (await Promise.all(panels.all().map(describePanel))) as never };
    },
  };
}

/**
 * Creates the route of panel modules. The key in the URL authorizes the request, because `import()` sends no header. The path begins with `/api/` for pages
 * that reach this server indirectly.
 */
export function createModuleRoute(panels: PanelRegistry, makeError: MakeError): Route {
  return {
    key: 'GET /api/ui/modules/:name',
    summary: 'Returns the script of a panel, at the URL in the list of panels.',
    tag: 'page',
    schema: {},
    auth: 'open',
    mediaType: 'text/javascript',
    async handle({ params }) {
      const { name = '' } = params as { readonly name?: string };
      const found = panels.find(name);
      if (!found) throw makeError('NOT_FOUND', { name });
      const { readModule } = await import('./panel-modules.ts');
      return readModule(found).catch((fault: unknown) => {
        const why = codeOf(fault) ?? 'unknown';
        throw makeError('MODULE_UNREADABLE', { id: found.panel.id, plugin: found.plugin, why }, fault);
      });
    },
  };
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/ui/panels': typeof listing;
    'GET /api/ui/modules/:name': {};
  }
}
