// Registers the plugin life cycle: creates, tests, installs with a lock file, updates, audits and removes third-party plugins.
import type { Registry } from 'agent-harness/kernel';
import type { PluginLife } from 'agent-harness/builtins/connections/plugin-life';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/settings';
import type {} from 'agent-harness/plugins/storage';
import type { manifest } from './manifest.ts';
import { createPluginLife } from './plugin-life.ts';
import { lifeRoutes } from './routes.ts';

export { manifest } from './manifest.ts';

export function register(registry: Registry<typeof manifest>): void {
  const { services } = registry;
  const life: PluginLife = createPluginLife(registry);
  registry.defer(() => life.dispose(), 'offers');
  registry.provide('pluginLife', () => life);
  for (const route of lifeRoutes(life, () => services.settings)) registry.add('route', route);
}
