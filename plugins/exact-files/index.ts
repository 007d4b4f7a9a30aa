// Registers workspace file access by exact path. Always accesses files, regardless of the storage of the home folder.
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/exact-files';
import { createExactFiles } from './exact-files.ts';

export const manifest = { name: 'exact-files', provides: ['exactFiles'] } as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  registry.provide('exactFiles', () => createExactFiles());
}
