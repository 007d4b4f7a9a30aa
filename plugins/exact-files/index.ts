// Files of workspaces: what is opened is what stands at exactly a path. They stay files wherever the home folder's contents are kept.
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/exact-files';
import { createExactFiles } from './exact-files.ts';

export const manifest = { name: 'exact-files', provides: ['exactFiles'] } as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  registry.provide('exactFiles', () => createExactFiles());
}
