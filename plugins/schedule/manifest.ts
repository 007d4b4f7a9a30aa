// Declares the name, services and errors of the scheduler.
import type { PluginManifest } from 'agent-harness/kernel';

export const manifest = {
  name: 'schedule',
  requires: ['kernel', 'product', 'storage'],
  provides: ['jobs'],
  errors: { JOB_FAILED: { message: "The job '{job}' of plugin '{plugin}' failed: {why}" } },
} as const satisfies PluginManifest;
