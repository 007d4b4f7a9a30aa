// Reads and writes `plugins.lock.json`: each installed plugin with its source, signer, file hashes and approved capabilities.
import { join } from 'node:path';
import type { LockRow, PluginLock } from 'agent-harness/builtins/connections/plugin-life';
import type { Storage } from 'agent-harness/plugins/storage';
import { isRecord } from '#lib/values';

export interface LockFile {
  read(): Promise<PluginLock['plugins']>;
  /** Writes a row of the lock file; `undefined` removes it. */
  write(name: string, row: LockRow | undefined): Promise<void>;
}

const isLock = (value: unknown): value is PluginLock =>
  isRecord(value) &&
  value['lockVersion'] === 1 &&
  isRecord(value['plugins']) &&
  Object.values(value['plugins']).every((row) => isRecord(row) && typeof row['source'] === 'string' && Array.isArray(row['files']));

export function openLockFile(home: string, storage: Pick<Storage, 'readJson' | 'updateJson'>): LockFile {
  const path = join(home, 'plugins.lock.json');
  return {
    read: async () => (await storage.readJson(path, isLock))?.plugins ?? {},
    async write(name, row) {
      await storage.updateJson<PluginLock>(
        path,
        (lock) => {
          const { [name]: _, ...others } = lock?.plugins ?? {};
          return { lockVersion: 1, plugins: row ? { ...others, [name]: row } : others };
        },
        { mode: 0o600, shape: isLock },
      );
    },
  };
}
