// A kernel with only the storage plugin, and an empty folder for its files.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKernel, loadPlugins } from 'agent-harness/kernel';
import type { ErrorEvent, PluginModule } from 'agent-harness/kernel';
import type { JournalStore, Storage } from 'agent-harness/plugins/storage';
import * as plugin from '../../../../plugins/storage/index.ts';

export interface OpenStorage {
  readonly storage: Storage;
  readonly journals: JournalStore;
  readonly folder: string;
  readonly errors: ErrorEvent[];
  readonly warnings: string[];
  close(): Promise<void>;
}

export async function openStorage(given?: string): Promise<OpenStorage> {
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'storage-')));
  const warnings: string[] = [];
  const kernel = createKernel({ log: (level, _, message) => void (level === 'warn' && warnings.push(message)) });
  const errors: ErrorEvent[] = [];
  kernel.emitter.on('error', (event) => void errors.push(event));
  await loadPlugins(kernel.registry, kernel.emitter, { sources: [{ origin: 'platform', modules: { storage: plugin as unknown as PluginModule<never> } }] });
  return {
    storage: kernel.resolve('storage'),
    journals: kernel.resolve('journals'),
    folder,
    errors,
    warnings,
    async close() {
      await kernel.close();
      if (given === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}
