// Registers the storage of the files in the home folder: atomic writes, locks, journals, ids.
import type { Emitter, KernelError, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/storage';
import { createIds } from './ids.ts';
import { createJournalFiles } from './journal-files.ts';
import { createRefusals } from './refusals.ts';
import { createStorage } from './storage.ts';

export const manifest = {
  name: 'storage',
  provides: ['storage', 'journals'],
  errors: {
    LOCKED: { message: "'{path}' is in use by another process{holder}. Stop that process first.", status: 409 },
    BUSY: { message: "Another process has locked '{path}' for more than {ms} ms. Try again.", status: 503 },
    CORRUPT: { message: "'{path}' contained {what}. The file was moved to '{movedTo}' and is treated as missing." },
    UNREADABLE: { message: '{what} cannot be read: {why}. {advice}', status: 503 },
    UNWRITABLE: { message: '{what} cannot be written: {why}. {advice}', status: 503 },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  function report({ code, message }: KernelError): void {
    registry.log.error(message);
    emitter.emit('error', { source: 'storage', code, message });
  }

  registry.provide('journals', () => createJournalFiles());
  registry.provide('storage', () =>
    createStorage({
      ids: createIds(),
      locked: (path, holder) => registry.error('LOCKED', { path, holder: holder === undefined ? '' : ` (process ${holder})` }),
      busy: (path, ms, cause) => registry.error('BUSY', { path, ms }, cause),
      reportCorrupt: (path, movedTo, what) => report(registry.error('CORRUPT', { path, movedTo, what })),
      refusals: createRefusals({ error: registry.error.bind(registry), report }),
      warn: (message) => registry.log.warn(message),
    }),
  );
}
