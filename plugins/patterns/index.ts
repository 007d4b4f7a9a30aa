// Registers time-limited pattern matching for all plugins that validate external data.
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/patterns';
import { createLimitedPatterns } from './limited-patterns.ts';

export const manifest = {
  name: 'patterns',
  provides: ['limitedPatterns'],
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  registry.provide('limitedPatterns', () => createLimitedPatterns());
}
