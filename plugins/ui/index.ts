// Registers UI contributions: the points for panels and translations, and the routes for their lists and panel scripts.
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/ui';
import { createMessageRegistry, createMessagesRoute } from './messages.ts';
import { createPanelRegistry } from './panel-registry.ts';
import { createListRoute, createModuleRoute } from './routes.ts';

export const manifest = {
  name: 'ui',
  requires: ['http'],
  errors: {
    NOT_FOUND: { message: "The panel script '{name}' does not exist. Read the list of panels again.", status: 404 },
    MODULE_UNREADABLE: { message: "The module of the panel '{id}' of the plugin '{plugin}' could not be read ({why}).", status: 409 },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, _emitter: Emitter): void {
  const panels = createPanelRegistry();
  registry.point('ui.panel', panels.handler);
  const messages = createMessageRegistry();
  registry.point('ui.messages', messages.handler);
  registry.add('route', createListRoute(panels));
  registry.add('route', createMessagesRoute(messages));
  registry.add('route', createModuleRoute(panels, registry.error.bind(registry)));
}
