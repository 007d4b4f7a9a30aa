// Files of the home folder: atomic writes, one writer at a time, ids.
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/storage';
import { createExactFiles } from './exact-files.ts';
import { createIds } from './ids.ts';
import { createStorage } from './storage.ts';

export const manifest = {
  name: 'storage',
  provides: ['storage', 'exactFiles'],
  errors: {
    LOCKED: { message: "'{path}' is in use by another process{holder}; stop that one first.", status: 409 },
    BUSY: { message: "'{path}' stayed locked by another process for {ms} ms; try again.", status: 503 },
    CORRUPT: { message: "'{path}' was not valid JSON; it was moved to '{aside}' and is treated as missing." },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  registry.provide('exactFiles', () => createExactFiles());
  registry.provide('storage', () =>
    createStorage({
      ids: createIds(),
      locked: (path, holder) => registry.error('LOCKED', { path, holder: holder === undefined ? '' : ` (process ${holder})` }),
      busy: (path, ms, cause) => registry.error('BUSY', { path, ms }, cause),
      reportCorrupt: (path, aside) => {
        const { code, message } = registry.error('CORRUPT', { path, aside });
        registry.log.error(message);
        emitter.emit('error', { source: 'storage', code, message });
      },
      warn: (message) => registry.log.warn(message),
    }),
  );
}
