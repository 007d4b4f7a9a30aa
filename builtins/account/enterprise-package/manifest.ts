// Defines the manifest of enterprise-package: name, services, events and settings.
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
      description: 'Absolute path of the folder that the plugins of paid tiers are kept in; left empty, `enterprise` in the home folder.',
      apply: 'restart',
    }),
  }),
  errors: {
    INVALID: { message: 'The enterprise package was not loaded: {why} No part of it runs. Inform the operator of the control plane.' },
    FAILED: { message: 'Version {version} of the enterprise package does not work here, so the one before stays: {why}' },
    OLDER: { message: 'The control plane offers version {version} of the enterprise package, which is older than the installed {installed}; it was refused.' },
    NOT_INSTALLED: { message: 'The enterprise package was not installed: {why}' },
  },
} as const satisfies PluginManifest;
