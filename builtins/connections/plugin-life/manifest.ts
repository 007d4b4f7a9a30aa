// Defines the manifest of plugin-life: name, services, events and settings.
import * as Type from 'typebox';
import { normalizeSite } from '#lib/setting-texts';
import type { PluginManifest } from 'agent-harness/kernel';

export const manifest = {
  name: 'plugin-life',
  requires: ['kernel', 'product', 'storage', 'http'],
  optional: ['settings', 'userPlugins'],
  provides: ['pluginLife'],
  config: Type.Object({
    coolDownDays: Type.Integer({
      default: 7,
      minimum: 0,
      maximum: 365,
      env: 'AGENT_PLUGIN_COOL_DOWN_DAYS',
      words: 'extensions addons new wait age',
      tab: 'advanced',
      title: 'Minimum age of plugin versions (days)',
      description: 'Days since the publication of an npm version before it can be installed. 0: any version.',
      apply: 'live',
    }),
    registry: Type.String({
      default: 'https://registry.npmjs.org',
      maxLength: 1_000,
      env: 'AGENT_PLUGIN_REGISTRY',
      mustFit: true,
      normalize: normalizeSite,
      words: 'extensions addons npm',
      tab: 'advanced',
      title: 'npm registry',
      description: 'Address of the npm registry for plugins.',
      apply: 'live',
    }),
  }),
  errors: {
    REFUSED: { message: '{why}', status: 422 },
    NOT_INSTALLED: {
      message: "'{name}' was not installed, so it cannot be removed. Delete the file of your own plugin first; then remove its data with --data.",
      status: 404,
    },
    AT_WORK: { message: "'{name}' is running. Disable it first; its data can be deleted then.", status: 409 },
    TOO_YOUNG: {
      message:
        '{what} was published {published} and can be installed from {from} on. New versions are held back for {days} days, in which faults may be found. --no-cool-down installs it now.',
      status: 409,
    },
    OFFER_GONE: { message: 'This plugin was not reviewed, or the review is too old. Review it again.', status: 404 },
  },
} as const satisfies PluginManifest;
