// Registers the settings plugin: fields and preferences, the list of plugins, and the configuration summary for clients.
import type { Disposable, Emitter, PointHandler, Registry } from 'agent-harness/kernel';
import { messageOf } from '#lib/errors';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/http';
import { createConfigReplyBuilder } from './config-reply.ts';
import type { SettingsLayer } from './contract.ts';
import { createPreferences } from './preferences.ts';
import { settingsRoutes } from './routes.ts';
import { createSettings, type OwnedSettings } from './settings-service.ts';
import { watchDotenv } from './watch-dotenv.ts';
import { createTabs } from './tabs.ts';
import { notifyOfConfigChanges } from './config-change-notifier.ts';
import { kernelWireEvents } from './wire-events.ts';
import type { manifest } from './manifest.ts';

export { manifest } from './manifest.ts';

/** Time limit in milliseconds of each tap that adds to a reply for which a client is waiting. */
const replyLimitMs = 3_000;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const tabs = createTabs();
  const preferences = createPreferences(registry);
  const settings = createSettings({ registry, emitter, preferences, tabs });

  emitter.hook('settings.provider', 'waterfall', { limitMs: replyLimitMs });
  emitter.hook('settings.guard', 'bail', { onError: 'throw' });
  emitter.hook('settings.before', 'series', { onError: 'throw' });
  registry.point('settings_tab', tabs.point);
  registry.point('settings_layer', layersPoint(registry, settings));
  registry.provide('settings', () => settings);
  emitter.tap('turn.after', () => settings.catchUp());
  watchDotenv(registry, emitter, settings);
  // Disabled in commands that connect to a running server.
  if (registry.config.pluginWatch) tapWatch(registry, emitter, settings);
  notifyOfConfigChanges(registry, emitter);
  for (const event of kernelWireEvents) registry.add('wire_event', event);
  for (const route of settingsRoutes({ registry, settings, buildConfig: createConfigReplyBuilder(registry) })) registry.add('route', route);
}

function layersPoint(registry: Registry<typeof manifest>, settings: OwnedSettings): PointHandler<SettingsLayer> {
  const layers = new Set<SettingsLayer>();
  const changed = (): void => {
    settings.impose([...layers]).catch((fault: unknown) => {
      if (!registry.signal.aborted) registry.log.error(`the imposed settings could not be applied: ${messageOf(fault)}`);
    });
  };
  return {
    added(layer) {
      layers.add(layer);
      changed();
    },
    removed(layer) {
      layers.delete(layer);
      if (!registry.signal.aborted) changed();
    },
  };
}

function tapWatch(registry: Registry<typeof manifest>, emitter: Emitter, settings: OwnedSettings): void {
  let watching: Disposable | undefined;
  const stop = async (): Promise<void> => {
    const former = watching;
    watching = undefined;
    await former?.dispose();
  };
  emitter.tap('app.start', () => void (watching ??= settings.watchPlugins()));
  emitter.tap('app.stop', stop);
  registry.defer(stop, 'watch of plugins');
}
