// Defines the manifest of enterprise-package: name, services, settings and errors.
import * as Type from 'typebox';
import type { PluginManifest } from 'agent-harness/kernel';

export const manifest = {
  name: 'enterprise-package',
  requires: ['license', 'controlPlane', 'product', 'http'],
  optional: ['turns', 'bundlePlugins'],
  config: Type.Object({
    dir: Type.String({
      default: '',
      env: 'AGENT_ENTERPRISE_DIR',
      title: 'Folder of the enterprise package',
      description: 'Absolute path of the folder for the plugins of paid tiers; default: `enterprise` in the home folder.',
      apply: 'restart',
    }),
  }),
  errors: {
    INVALID: { message: 'The enterprise package was not loaded: {why} No part of it runs. Inform the operator of the control plane.' },
    FAILED: { message: 'Version {version} of the enterprise package does not work on this machine, so the previous version is used: {why}' },
    OLDER: {
      message:
        'The control plane offers version {version} of the enterprise package, which is older than the installed version {installed}. It was not installed.',
    },
    NOT_INSTALLED: { message: 'The enterprise package was not installed: {why}' },
  },
} as const satisfies PluginManifest;
