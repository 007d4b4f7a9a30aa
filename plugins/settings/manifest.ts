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
      description: 'How much clients show while a turn runs: quiet hides trace and retry lines.',
      apply: 'live',
    }),
    pluginDir: Type.String({
      default: '',
      pattern: '^(/|[A-Za-z]:[\\\\/])',
      env: 'AGENT_PLUGIN_DIR',
      words: 'extensions addons mods path directory',
      tab: 'advanced',
      title: 'Plugin folder',
      description: "Absolute path of the folder that user plugins are loaded from; left empty, it is the folder 'plugins' in the home folder.",
      apply: 'restart',
    }),
    pluginAsk: Type.Boolean({
      default: true,
      env: 'AGENT_PLUGIN_ASK',
      words: 'extensions addons capabilities trust consent isolation',
      tab: 'advanced',
      title: 'Consent for plugins',
      description:
        'An isolated plugin is loaded only after the user allows the permissions that it requests beyond its own folder, and again when it requests more.',
      apply: 'restart',
    }),
    pluginWatch: Type.Boolean({
      default: false,
      env: 'AGENT_PLUGIN_WATCH',
      words: 'extensions addons reload develop',
      tab: 'advanced',
      title: 'Hot reload of plugins',
      description:
        'Watches the plugin folder: a plugin that is added or saved runs without a restart, once no turn runs; one that fails keeps its last good version running.',
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
