// Removes an installed plugin: its settings, files and lock file row.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { KernelControl } from 'agent-harness/kernel';
import type { Settings, UserPlugins } from 'agent-harness/plugins/settings';
import { isThere } from '#lib/files';
import type { LockFile } from './lock-file.ts';

export interface RemoveParts {
  readonly userPlugins: Pick<UserPlugins, 'dir'>;
  readonly lock: LockFile;
  readonly kernel: Pick<KernelControl, 'fields'>;
  readonly settings: Pick<Settings, 'patch'> | undefined;
}

/** Removes a plugin. Resolves with a description of the removed items. */
export async function removePlugin(name: string, { userPlugins, lock, kernel, settings }: RemoveParts): Promise<string[]> {
  const gone: string[] = [];
  // Settings are removed first, because the code declares which settings belong to the plugin.
  const fields = kernel.fields();
  const others = new Set(fields.flatMap(({ plugin, key }) => (plugin === name ? [] : [key])));
  const keys = fields.flatMap(({ plugin, source, key }) => (plugin === name && source === 'preferences' && !others.has(key) ? [key] : []));
  if (keys.length > 0 && settings) {
    await settings.patch({ harness: { env: Object.fromEntries(keys.map((key) => [key, null])) } }, 'queue');
    gone.push(...keys.map((key) => `setting ${key}`));
  }
  const folder = join(userPlugins.dir, name);
  if (await isThere(folder)) {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    gone.push(folder);
  }
  await lock.write(name, undefined);
  return [...gone, 'its row in plugins.lock.json'];
}
