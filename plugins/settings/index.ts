// Settings fields and preferences, the list of plugins, and the configuration summary for clients.
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/http';
import { createConfigReplyBuilder } from './config-reply.ts';
import { createPreferences } from './preferences.ts';
import { settingsRoutes } from './routes.ts';
import { createSettings } from './settings-service.ts';
import { watchDotenv } from './watch-dotenv.ts';
import { createTabs } from './tabs.ts';
import { kernelWireEvents } from './wire-events.ts';

export const manifest = {
  name: 'settings',
  requires: ['kernel', 'storage', 'product'],
  optional: ['eventLog', 'webToken', 'userPlugins'],
  provides: ['settings'],
  events: ['settings_pending'],
  config: Type.Object({
    uiVerbosity: Type.Union([Type.Literal('quiet'), Type.Literal('normal')], {
      default: 'normal',
      env: 'AGENT_UI_VERBOSITY',
      tab: 'session_ui',
      title: 'Verbosity',
      description: 'How much clients show while a turn runs: quiet hides trace and retry lines.',
      apply: 'live',
    }),
    pluginDir: Type.String({
      default: '',
      pattern: '^(/|[A-Za-z]:[\\\\/])',
      env: 'AGENT_PLUGIN_DIR',
      tab: 'advanced',
      title: 'Plugin folder',
      description: "Absolute path of the folder that user plugins are loaded from; left empty, it is the folder 'plugins' in the home folder.",
      apply: 'restart',
    }),
  }),
  errors: {
    UNAUTHORIZED: { message: 'This needs the web token; send it in the Authorization header.', status: 401 },
    NOT_FOUND: { message: "There is no plugin '{name}'.", status: 404 },
    INVALID_REQUEST: { message: 'The change was refused: {why}', status: 400 },
    NOT_IN_FORCE: { message: 'Changes are saved and not in force: {why} They are after a restart, or with the next change.' },
    SETTING_LOCKED: { message: 'Set in the environment of the server, so it can be changed only there: {keys}.', status: 422 },
    SETTING_UNKNOWN: { message: 'Not a setting that can be changed here: {keys}.', status: 422 },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const tabs = createTabs();
  const preferences = createPreferences(registry);
  const settings = createSettings({ registry, emitter, preferences, tabs });

  emitter.hook('config.build', 'waterfall', { onError: 'skip' });
  emitter.hook('settings.provider', 'waterfall', { onError: 'skip' });
  emitter.hook('settings.guard', 'bail', { onError: 'throw' });
  registry.point('settings_tab', tabs.point);
  registry.provide('settings', () => settings);
  emitter.tap('turn.after', () => settings.catchUp());
  watchDotenv(registry, emitter, settings);
  for (const event of kernelWireEvents) registry.add('wire_event', event);
  for (const route of settingsRoutes({ registry, settings, buildConfig: createConfigReplyBuilder(registry, emitter) })) registry.add('route', route);
}
