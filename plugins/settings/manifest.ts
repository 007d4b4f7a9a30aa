// Declares the name, services, events and settings of the settings plugin.
import * as Type from 'typebox';
import type { PluginManifest } from 'agent-harness/kernel';

export const manifest = {
  name: 'settings',
  requires: ['kernel', 'storage', 'product'],
  optional: ['eventLog', 'webToken', 'userPlugins'],
  provides: ['settings'],
  events: ['config_changed', 'settings_pending'],
  config: Type.Object({
    uiVerbosity: Type.Union([Type.Literal('quiet'), Type.Literal('normal')], {
      default: 'normal',
      env: 'AGENT_UI_VERBOSITY',
      words: 'quiet noise details trace less more show thinking',
      rank: 80,
      tab: 'session_ui',
      title: 'Verbosity',
      description: 'Amount of detail that clients display while a turn runs. quiet hides trace and retry lines.',
      apply: 'live',
    }),
    pluginDir: Type.String({
      default: '',
      pattern: '^(/|[A-Za-z]:[\\\\/])',
      env: 'AGENT_PLUGIN_DIR',
      words: 'extensions addons mods path directory',
      tab: 'advanced',
      title: 'Plugin folder',
      description: "Absolute path of the folder from which user plugins are loaded. Empty: the folder 'plugins' in the home folder.",
      apply: 'restart',
    }),
    pluginAsk: Type.Boolean({
      default: true,
      env: 'AGENT_PLUGIN_ASK',
      words: 'extensions addons capabilities trust consent isolation',
      tab: 'advanced',
      title: 'Consent for plugins',
      description:
        'Loads an isolated plugin only after the user allows the permissions that it requests beyond its own folder, and asks again when it requests more.',
      apply: 'restart',
    }),
    pluginWatch: Type.Boolean({
      default: false,
      env: 'AGENT_PLUGIN_WATCH',
      words: 'extensions addons reload develop',
      tab: 'advanced',
      title: 'Hot reload of plugins',
      description:
        'Watches the plugin folder. An added or changed plugin is loaded without a restart when no turn runs. If the new version fails, the last working one keeps running.',
      apply: 'restart',
    }),
  }),
  errors: {
    UNAUTHORIZED: { message: 'The web token is missing or invalid. Send it in the Authorization header.', status: 401 },
    NOT_FOUND: { message: "The plugin '{name}' does not exist.", status: 404 },
    INVALID_REQUEST: { message: 'The change was rejected: {why}', status: 400 },
    NOT_IN_FORCE: { message: 'The changes were saved but could not be applied: {why} They are applied at the next change or restart.' },
    SETTING_LOCKED: { message: 'These settings are set in the environment of the server and can be changed only there: {keys}.', status: 422 },
    SETTING_UNKNOWN: { message: 'These settings do not exist or cannot be changed here: {keys}.', status: 422 },
  },
} as const satisfies PluginManifest;
