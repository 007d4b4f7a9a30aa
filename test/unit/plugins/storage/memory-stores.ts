// The store of the example distribution, with types.
import { join } from 'node:path';
import type { JournalStore, Storage } from 'agent-harness/plugins/storage';

export type Values = Map<string, { bytes: Buffer }>;
type Create = (warn: (message: string) => void, values: Values) => { readonly storage: Storage; readonly journals: JournalStore };

const path = join(import.meta.dirname, '../../../../examples/distributions/ephemeral/platform/memory-storage.mjs');
export const { createMemoryStores } = (await import(/* @vite-ignore */ path)) as { createMemoryStores: Create };
