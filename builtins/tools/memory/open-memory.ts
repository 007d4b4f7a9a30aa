// Creates the memory modules on first use.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Emitter, Logger } from 'agent-harness/kernel';
import type { Turn } from 'agent-harness/plugins/agent';
import type { Chats, JournalEvent } from 'agent-harness/plugins/chats';
import type { Models } from 'agent-harness/plugins/models';
import type { Product, Storage } from 'agent-harness/plugins/storage';
import type { RunTool } from 'agent-harness/plugins/tools';
import type { KernelError } from 'agent-harness/kernel';
import { isRecord } from '#lib/values';
import type { NotePlace } from './contract.ts';
import { createEmbeddings } from './search/embeddings.ts';
import { forgetFromChat } from './notes/forget-chat.ts';
import { createFreshNotes, type FreshNotes } from './notes/fresh-notes.ts';
import { createMemoryTools } from './memory-tools.ts';
import { createNoteSeals } from './notes/note-seals.ts';
import { createNoteFiles, type NoteFiles } from './notes/open-note-files.ts';
import type { NoteErrorReason } from './notes/note-grammar.ts';
import { createNoteStore, type NoteStore } from './notes/note-store.ts';
import { createNoteWishes, type NoteWishes } from './notes/note-wishes.ts';
import { createVectorFile } from './search/vector-file.ts';
import { trackedRemember, type TrackNotes } from './undoable-notes.ts';

export interface MemoryParts {
  readonly services: { readonly product: Product; readonly storage: Storage; readonly chats: Chats; readonly models: Models };
  /** Live values of the settings. */
  readonly config: { readonly embedModel: string; readonly isGraphOn: boolean; readonly isAutolinkOn: boolean; readonly autolinkModel: string };
  readonly emitter: Emitter;
  readonly log: Logger;
  readonly signal: AbortSignal;
  error(reason: NoteErrorReason, details: Readonly<Record<string, unknown>>): KernelError;
  turnOf(turnId: string): Turn | undefined;
  /** Tracks changes of notes; omitted if there is no undo. */
  readonly track?: TrackNotes | undefined;
}

export interface Memory {
  readonly store: NoteStore & NoteWishes;
  readonly noteFiles: NoteFiles;
  readonly fresh: FreshNotes;
  readonly tools: Readonly<Record<string, RunTool>>;
  /** Permanently deletes all data derived from a chat. Resolves with the number of deleted notes. */
  forgetChat(place: NotePlace, events: AsyncIterable<JournalEvent>, options: { readonly isGone: boolean }): Promise<number>;
  /** Reads and indexes the notes for the next turn in a chat; if no chat is given, for all chats. */
  warmUp(place: NotePlace | undefined): Promise<void>;
  /** Writes pending changes. */
  close(): Promise<void>;
}

export function openMemory({ services, config, emitter, log, signal, error, turnOf, track }: MemoryParts): Memory {
  const { product, storage, chats, models } = services;
  const warn = (message: string): void => log.warn(message);
  const seals = createNoteSeals(product.home, storage);

  const noteFiles = createNoteFiles({
    home: product.home,
    chatFolder: (chatId) => chats.folder(chatId),
    lock: (path) => storage.lock(path),
    moveAside: async (path) => void (await storage.readJson(path, isRecord)),
    warn,
    seals,
  });
  const embeddings = createEmbeddings({
    model: () => config.embedModel,
    route() {
      const { wire, baseURL, apiKey } = models.route();
      return wire === 'demo' ? undefined : { baseURL, ...(apiKey === undefined ? {} : { apiKey }) };
    },
    async request(request, stop) {
      const { unusable } = models.route();
      if (unusable) throw unusable;
      return (await import('./search/embed-request.ts')).requestEmbeddings(request, stop);
    },
    vectors: createVectorFile(join(product.home, '.agent_notes.vectors.jsonl'), (path) => rm(path, { force: true })),
    signal,
    warn,
  });
  const kept = createNoteStore({
    ...{ noteFiles, seals, embeddings, config, error },
    widen: (query, place) => emitter.call('recall.query', [[query], place]),
    announce: ({ chatId }, { id, scope }, change) => emitter.emit('memory_changed', { ...(chatId === '' ? {} : { chatId }), noteId: id, scope, change }),
  });
  const remember = track ? trackedRemember(kept, track, (ref) => storage.isId('turn', ref)) : kept.remember;
  const store = { ...kept, ...createNoteWishes(product.home, storage), remember };
  const fresh = createFreshNotes({ store, models, config, signal, warn });

  return {
    store,
    noteFiles,
    fresh,
    tools: createMemoryTools({ store, noteFiles, turnOf, track, remembered: fresh.add }),
    forgetChat: (place, events, options) => forgetFromChat({ store, requestDeletion: (chat) => emitter.call('notes.forget', [chat]) }, place, events, options),
    async warmUp(place) {
      const opened = place ? await noteFiles.open(place) : await noteFiles.open({ chatId: '', workspaceRoot: '' }, ['global']);
      for (const { file, index } of opened) if (file.notes.size > 0) await index();
    },
    async close() {
      await fresh.close();
      await embeddings.close();
      await noteFiles.close();
    },
  };
}
