// Registers access to workspace files by exact path. Always uses the file system, whichever storage backend holds the home folder.
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/exact-files';
import { createExactFiles } from './exact-files.ts';

export const manifest = { name: 'exact-files', provides: ['exactFiles'] } as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  registry.provide('exactFiles', () => createExactFiles());
}
