// Implements the service `chats`: the list, the active chat, and all operations on chats.
import { join } from 'node:path';
import type { Disposable, Emitter, KernelError } from 'agent-harness/kernel';
import type { ExactFiles } from 'agent-harness/plugins/exact-files';
import type { JournalStore, Product, Storage } from 'agent-harness/plugins/storage';
import { createUnderWay } from '#lib/async';
import { untitled, withRemovals } from 'agent-harness/transcript';
import { createActiveChat, type ActiveChat } from './active-chat.ts';
import { checkChange, announceChange, withChange } from './chat-change.ts';
import type { Chats, ChatMeta, CreateChat, JournalEvent, Repair } from '../contract.ts';
import { cleanTitle, draftChat } from './draft-chat.ts';
import type { RunningEventLog } from '../journal/event-log.ts';
import { createFirstChat } from './first-chat.ts';
import { copiedMeta, copyChat, type CopyChat } from './fork-chat.ts';
import type { Journals } from '../journal/journals.ts';
import { createMetaCache } from './meta-cache.ts';
import { rebuildChats, type RebuildOptions } from './rebuild-chats.ts';
import { searchChats } from './search-chats.ts';
import { readTranscriptPage } from '../journal/read-transcript.ts';
import { createImporting } from './import-chat.ts';
import { trashedMetas } from './trash.ts';
import { createTrashing, type Trashing } from './trashing.ts';
import type { SavedMeta } from './saved-meta.ts';

export interface ChatStoreOptions {
  readonly emitter: Emitter;
  readonly storage: Storage;
  readonly store: JournalStore;
  readonly exactFiles: ExactFiles;
  readonly product: Product;
  readonly log: RunningEventLog;
  readonly journals: Journals;
  /** Returns the path of the default workspace of a new chat. */
  defaultRoot(): string;
  readonly isBusy: (chatId: string) => boolean;
  readonly complete: (event: JournalEvent) => JournalEvent;
  lockHome(): Promise<Disposable>;
  /** Called if `meta.json` could not be written in the background. */
  readonly onMetaFault: (chatId: string, fault: unknown) => void;
  notFound(what: string, id: unknown): KernelError;
  invalid(why: string): KernelError;
}

export interface ChatStore extends Chats, Pick<Trashing, 'eraseTemporary'> {
  /** Runs the code that creates a chat without creating one, because the first run of this code is slow. Never rejects. */
  warmUp(): Promise<void>;
  /** Returns the active chat; creates no chat. */
  peekActive(): Promise<ChatMeta | undefined>;
  /** Resolves when no creation, copy or write is in progress. */
  settled(): Promise<void>;
}

export function createChatStore(options: ChatStoreOptions): ChatStore {
  const { emitter, storage, store, product, log, journals, isBusy } = options;
  const chatsFolder = join(product.home, 'chats');
  const metas = createMetaCache(storage, chatsFolder, options.onMetaFault);
  const activeChat = createActiveChat({ home: product.home, storage, emitter, metas });
  const draft = (wanted: CreateChat): Promise<SavedMeta> => draftChat(wanted, { ...options, chatsFolder, known: async () => (await metas.all()).metas });
  /** Operations in progress. They must end before the server stops, because nothing may write to the home folder afterwards. */
  const underWay = createUnderWay();
  const first = createFirstChat({ activeChat, metas, draft: () => draft({}), create: (plan, activate) => create({ activate }, plan) });

  const folder = (chatId: string): string => {
    if (!storage.isId('chat', chatId)) throw options.notFound('chat', chatId);
    return join(chatsFolder, chatId);
  };
  const journalPath = (chatId: string): string => join(folder(chatId), 'session.jsonl');

  function shown({ isTitled: _, ...meta }: SavedMeta): ChatMeta {
    return { ...meta, busy: isBusy(meta.chatId) };
  }

  async function find(chatId: string): Promise<SavedMeta> {
    const meta = await first.find(chatId);
    if (!meta) throw options.notFound('chat', chatId);
    return meta;
  }

  async function peekActive(): Promise<ChatMeta | undefined> {
    const known = await first.peekActive();
    return known && shown(known);
  }

  async function peek(chatId?: string): Promise<ChatMeta> {
    const known = chatId === undefined ? await first.peekActive() : undefined;
    return shown(known ?? (await first.peek(chatId)) ?? (await find(chatId ?? '')));
  }

  async function replaceActive(chatId: string): Promise<string | null> {
    await activeChat.replace(chatId);
    return activeChat.id ?? null;
  }

  /** Stores a new chat; if that fails, removes all of its data. */
  async function keepNew(meta: SavedMeta, finish?: () => Promise<void>): Promise<void> {
    try {
      await metas.save(meta);
      await finish?.();
    } catch (fault) {
      await metas.forget(meta.chatId);
      await storage.removeFolder(folder(meta.chatId));
      metas.recall(meta.chatId);
      throw fault;
    }
  }

  const create = (wanted: CreateChat = {}, plan?: SavedMeta): Promise<SavedMeta> => underWay.add(make(wanted, plan));

  async function make(wanted: CreateChat, plan?: SavedMeta): Promise<SavedMeta> {
    const meta = plan ?? (await draft(wanted));
    const { chatId } = meta;
    const { title, workspaceMode, workspaceRoot, temporary } = meta;
    const updated = { chatId, change: 'created', title, workspaceMode, workspaceRoot, ...(temporary ? { temporary } : {}) } as const;
    const emitCreated = (): void => emitter.emit('chat_updated', updated);
    await log.prepare();
    await keepNew(meta, async () => (wanted.activate === false ? emitCreated() : activeChat.set(chatId, emitCreated)));
    return meta;
  }

  async function copy(chatId: string, { titled, ...upTo }: CopyUpTo): Promise<ChatMeta> {
    const source = await find(chatId);
    const turnId = upTo.atTurn ?? upTo.beforeTurn;
    if (turnId !== undefined && !storage.isId('turn', turnId)) throw options.notFound('turn', turnId);
    const copyId = storage.createId('chat');
    // Converts the data of an earlier version first, because the copy must contain it.
    await log.removed(chatId);
    const turns = await copyChat({
      ...{ storage, journals: store, from: folder(chatId), to: folder(copyId), chatId: copyId, nextId: () => log.nextId() },
      copyOwn: (copied) => emitter.call('chat.fork', [{ from: chatId, to: copyId, turns: copied }]),
      ...upTo,
    });
    if (turns === undefined) throw options.notFound('turn', turnId);
    const meta = copiedMeta(source, { chatId: copyId, turns, title: cleanTitle(titled(source.title)), ...upTo });
    const { title, workspaceMode, workspaceRoot } = meta;
    await keepNew(meta);
    emitter.emit('chat_updated', { chatId: copyId, change: 'forked', title, workspaceMode, workspaceRoot });
    return shown(meta);
  }

  const trashing = createTrashing({ ...options, metas, chatsFolder, folder, find, replaceActive, shown, readActive: () => activeChat.read() });
  const importing = createImporting({
    ...{ storage, journals: store, folder, draft, keepNew, nextId: () => log.nextId(), invalid: options.invalid },
    metas: async () => ({ here: (await metas.all()).metas, inTrash: await trashedMetas(chatsFolder, storage) }),
    announce: ({ chatId, title, workspaceMode, workspaceRoot }) =>
      emitter.emit('chat_updated', { chatId, change: 'created', title, workspaceMode, workspaceRoot }),
  });

  return {
    // Ignores an unusable workspace, which is reported when a chat is created in it.
    warmUp: () => draft({}).then(ignore, ignore),
    active: async () => shown(await first.active()),
    peekActive,
    rebuild: () => rebuild(options, { metas, activeChat, chatsFolder }),
    folder,
    create: async (wanted) => shown(await create(wanted)),
    async settled() {
      await underWay.idle();
      await metas.settled();
    },
    get activeId() {
      return activeChat.id;
    },
    peek,
    get: async (chatId) => shown(await (chatId === undefined ? first.active() : find(chatId))),
    async list({ archived = false } = {}) {
      await activeChat.read();
      const { metas: found, orphanIds } = await metas.all();
      const wanted = archived ? found : found.filter((meta) => !meta.archived);
      const chats = [...wanted.filter((meta) => meta.pinned), ...wanted.filter((meta) => !meta.pinned)];
      return { chats: chats.map(shown), orphanIds, activeChatId: activeChat.id ?? null, residentChatIds: journals.residentIds() };
    },
    async activate(chatId) {
      const meta = await find(chatId);
      journals.open(chatId);
      await activeChat.set(chatId);
      return shown(meta);
    },
    async change(chatId, wanted) {
      const change = checkChange(wanted);
      if ('why' in change) throw options.invalid(change.why);
      await find(chatId);
      const meta = await metas.change(chatId, (before) => withChange(before, change));
      if (!meta) throw options.notFound('chat', chatId);
      for (const updated of announceChange(chatId, change)) emitter.emit('chat_updated', updated);
      return shown(meta);
    },
    ...trashing,
    remove: (...given) => underWay.add(trashing.remove(...given)),
    erase: (...given) => underWay.add(trashing.erase(...given)),
    restore: (...given) => underWay.add(trashing.restore(...given)),
    eraseTemporary: (...given) => underWay.add(trashing.eraseTemporary(...given)),
    import: (...given) => underWay.add(importing.import(...given)),
    imported: importing.imported,
    fork: (chatId, atTurn) => underWay.add(copy(chatId, { ...(atTurn === undefined ? {} : { atTurn }), titled: (title) => `${title} (fork)` })),
    branch: (chatId, beforeTurn) => underWay.add(copy(chatId, { beforeTurn, titled: (title) => title })),
    async transcript(chatId, page = {}) {
      await find(chatId);
      log.flush();
      journals.open(chatId);
      const read = await readTranscriptPage(store, journalPath(chatId), { ...page, isBusy: () => options.isBusy(chatId), complete: options.complete });
      if (!read) throw options.invalid('`before` must be the cursor of another page of this transcript.');
      return { ...read, entries: withRemovals(read.entries, await log.removed(chatId)) };
    },
    async search(query, limit = 50) {
      if (query.trim() === '') return [];
      log.flush();
      const ids = (await metas.all()).metas.map(({ chatId }) => chatId);
      return searchChats(ids, query, limit, (chatId) => store.read(journalPath(chatId)));
    },
    async touch(chatId, { turns, title }) {
      const name = cleanTitle(title ?? '');
      let isNamed = false;
      const meta = await metas.changeSoon(chatId, (before) => {
        isNamed = !before.isTitled && name !== '';
        return {
          ...before,
          ...(turns === undefined ? {} : { turns }),
          ...(isNamed ? { title: name, isTitled: true } : {}),
          updatedAt: new Date().toISOString(),
        };
      });
      if (!meta) throw options.notFound('chat', chatId);
      if (isNamed) emitter.emit('chat_updated', { chatId, change: 'renamed', title: name });
    },
  };
}

interface CopyUpTo extends Pick<CopyChat, 'atTurn' | 'beforeTurn'> {
  readonly titled: (title: string) => string;
}

function ignore(): void {}

async function rebuild(
  { storage, store, exactFiles, product, log, emitter, lockHome }: ChatStoreOptions,
  { activeChat, ...parts }: Pick<RebuildOptions, 'metas' | 'chatsFolder'> & { readonly activeChat: ActiveChat },
): Promise<readonly Repair[]> {
  const lock = await lockHome();
  try {
    log.flush();
    const idsPath = join(product.home, 'event_id.json');
    const continueAfter = (used: number): boolean => log.continueAfter(used);
    const repairs = await rebuildChats({ ...parts, storage, journals: store, exactFiles, idsPath, cleanTitle, untitled, continueAfter });
    return await emitter.call('chat.rebuild', [[...repairs, ...(await activeChat.repair())]]);
  } finally {
    await lock.dispose();
  }
}
