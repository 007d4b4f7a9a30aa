// Opens the note store of a home folder without a server.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createKernel, loadPlugins } from 'agent-harness/kernel';
import type { Storage } from 'agent-harness/plugins/storage';
import * as storagePlugin from '../../../../plugins/storage/index.ts';
import { createEmbeddings } from '../../../../builtins/tools/memory/search/embeddings.ts';
import { createNoteSeals } from '../../../../builtins/tools/memory/notes/note-seals.ts';
import { createNoteFiles } from '../../../../builtins/tools/memory/notes/open-note-files.ts';
import { createNoteStore, type NoteStore } from '../../../../builtins/tools/memory/notes/note-store.ts';

export interface Writer {
  readonly store: NoteStore;
  rest(): Promise<void>;
  close(): Promise<unknown>;
}

export async function openWriter(home: string, { isGraphOn = false } = {}): Promise<Writer> {
  mkdirSync(home, { recursive: true });
  const product = { name: 'app', title: 'App', version: '1', home, startFolder: home };
  const kernel = createKernel({ services: { product }, log: () => undefined });
  await loadPlugins(kernel.registry, kernel.emitter, { sources: [{ origin: 'platform', modules: { storage: storagePlugin as never } }] });
  const storage: Storage = kernel.resolve('storage');
  const seals = createNoteSeals(home, storage);
  const warn = (message: string): void => void process.stderr.write(`${message}\n`);
  const noteFiles = createNoteFiles({
    ...{ home, seals, warn },
    chatFolder: (chatId) => join(home, 'chats', chatId),
    lock: (path) => storage.lock(path),
    moveAside: async (path) => void (await storage.readJson(path)),
  });
  const embeddings = createEmbeddings({
    ...{ model: () => '', route: () => undefined, request: async () => [], warn, signal: new AbortController().signal },
    vectors: {
      load: async () => undefined,
      has: () => false,
      get: () => undefined,
      add: async () => undefined,
      pack: () => ({ values: new Int8Array(), length: 0 }),
    },
  });
  const store = createNoteStore({
    ...{ noteFiles, seals, embeddings, config: { isGraphOn } },
    error: (reason) => Object.assign(new Error(reason), { code: `MEMORY_ERR_${reason}`, plugin: 'memory' }),
    widen: async (query) => [query],
    announce: () => undefined,
  });
  let closed: Promise<unknown> | undefined;
  const close = (): Promise<unknown> => (closed ??= noteFiles.close().then(() => kernel.close()));
  return { store, rest: () => noteFiles.rest(), close };
}
