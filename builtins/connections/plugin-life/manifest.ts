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
      title: 'Cool-down of plugins',
      description: 'Days since the publication of an npm version before it can be installed; 0 accepts any.',
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
      title: 'Registry of npm packages',
      description: 'Registry for plugins that are npm packages.',
      apply: 'live',
    }),
  }),
  errors: {
    REFUSED: { message: '{why}', status: 422 },
    NOT_INSTALLED: {
      message:
        "'{name}' was not installed, so there is nothing to remove. A plugin of your own is removed by deleting its file, what it kept with --data afterwards.",
      status: 404,
    },
    AT_WORK: { message: "'{name}' is at work. Switch it off first; what it kept can be deleted then.", status: 409 },
    TOO_YOUNG: {
      message:
        '{what} was published {published} and may come from {from} on, after {days} days, in which others find what is wrong with it. --no-cool-down takes it now.',
      status: 409,
    },
    OFFER_GONE: { message: 'This plugin was not reviewed, or the review is too old. Review it again.', status: 404 },
  },
} as const satisfies PluginManifest;
