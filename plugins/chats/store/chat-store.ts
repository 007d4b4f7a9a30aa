// The chats: which there are, which one is active, and what happens to each.
import { join } from 'node:path';
import type { Disposable, Emitter, KernelError } from 'agent-harness/kernel';
import { createSerialQueues } from 'agent-harness/lib/async';
import type { ExactFiles } from 'agent-harness/plugins/exact-files';
import type { JournalStore, Product, Storage } from 'agent-harness/plugins/storage';
import { createActiveChat } from './active-chat.ts';
import { checkChange, tellChange, withChange } from './chat-change.ts';
import type { Chats, ChatMeta, CreateChat, JournalEvent, Repair } from '../contract.ts';
import { cleanTitle, draftChat, untitled } from './draft-chat.ts';
import type { RunningEventLog } from '../journal/event-log.ts';
import { copyChat } from './fork-chat.ts';
import type { Journals } from '../journal/journals.ts';
import { createMetaCache } from './meta-cache.ts';
import { rebuildChats } from './rebuild-chats.ts';
import { searchChats } from './search-chats.ts';
import { readTranscriptPage } from '../journal/read-transcript.ts';
import { beforeErase } from './before-erase.ts';
import { eraseFromTrash, listTrash, moveToTrash, takeFromTrash } from './trash.ts';
import type { SavedMeta } from './saved-meta.ts';

export interface ChatStoreOptions {
  readonly emitter: Emitter;
  readonly storage: Storage;
  readonly store: JournalStore;
  readonly exactFiles: ExactFiles;
  readonly product: Product;
  readonly log: RunningEventLog;
  readonly journals: Journals;
  /** Workspace of a chat that names none. */
  defaultRoot(): string;
  readonly isBusy: (chatId: string) => boolean;
  readonly complete: (event: JournalEvent) => JournalEvent;
  lockHome(): Promise<Disposable>;
  /** `meta.json` could not be written, and nobody waits for it. */
  readonly onMetaFault: (chatId: string, fault: unknown) => void;
  notFound(what: string, id: unknown): KernelError;
  invalid(why: string): KernelError;
}

export interface ChatStore extends Chats {
  /** Goes through the making of a chat, and makes none. Never rejects. */
  rehearse(): Promise<void>;
  /** The active chat, without making one. */
  peekActive(): Promise<ChatMeta | undefined>;
  /** Resolves when nothing is being written about any chat. */
  settled(): Promise<void>;
}

export function createChatStore(options: ChatStoreOptions): ChatStore {
  const { emitter, storage, store, product, log, journals, isBusy } = options;
  const chatsFolder = join(product.home, 'chats');
  /** What moves a chat's folder takes turns, by chat. */
  const filing = createSerialQueues<string>();
  const metas = createMetaCache(storage, chatsFolder, options.onMetaFault);
  const activeChat = createActiveChat({ home: product.home, storage, emitter, metas });
  const draft = (wanted: CreateChat): Promise<SavedMeta> => draftChat(wanted, { ...options, chatsFolder, known: async () => (await metas.all()).metas });
  let making: Promise<ChatMeta> | undefined;
  /** The first chat, for as long as nobody did anything in it. */
  let planned: Promise<SavedMeta> | undefined;

  const folder = (chatId: string): string => {
    if (!storage.isId('chat', chatId)) throw options.notFound('chat', chatId);
    return join(chatsFolder, chatId);
  };
  const journalPath = (chatId: string): string => join(folder(chatId), 'session.jsonl');

  function shown({ isTitled: _, ...meta }: SavedMeta): ChatMeta {
    return { ...meta, busy: isBusy(meta.chatId) };
  }

  async function find(chatId: string): Promise<SavedMeta> {
    const meta = (await metas.get(chatId)) ?? (await makePlanned(chatId));
    if (!meta) throw options.notFound('chat', chatId);
    return meta;
  }

  /** Whoever saw what the first chat will be may use it by its id. */
  async function makePlanned(chatId: string): Promise<SavedMeta | undefined> {
    const plan = await planned;
    if (plan?.chatId === chatId) {
      making ??= create({ activate: activeChat.id === undefined }, plan).finally(() => (making = undefined));
      await making;
    }
    // Somebody else may have made it meanwhile.
    return metas.get(chatId);
  }

  async function peek(chatId?: string): Promise<ChatMeta> {
    const known = chatId === undefined ? await peekActive() : undefined;
    if (known) return known;
    const plan = await (chatId === undefined ? planFirst() : planned);
    return shown(plan && (chatId === undefined || chatId === plan.chatId) ? plan : await find(chatId ?? ''));
  }

  async function peekActive(): Promise<ChatMeta | undefined> {
    await activeChat.read();
    const { id } = activeChat;
    const known = id === undefined ? undefined : await metas.get(id);
    if (id === undefined || known) return known && shown(known);
    // It went away while another was about to take its place.
    await activeChat.replace(id);
    return activeChat.id === undefined ? undefined : shown(await find(activeChat.id));
  }

  async function active(): Promise<ChatMeta> {
    const known = await peekActive();
    if (known) return known;
    const plan = await planFirst();
    making ??= create({}, plan).finally(() => (making = undefined));
    return making;
  }

  /** One plan for all who look and all who need one: what somebody saw is what somebody else makes. */
  function planFirst(): Promise<SavedMeta> {
    return (planned ??= draft({}).catch((fault: unknown) => {
      planned = undefined;
      throw fault;
    }));
  }

  /** Nothing stays of a chat that could not be made. */
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

  async function create(wanted: CreateChat = {}, plan?: SavedMeta): Promise<ChatMeta> {
    const meta = plan ?? (await draft(wanted));
    const { chatId } = meta;
    const { title, workspaceMode, workspaceRoot } = meta;
    const tell = (): void => emitter.emit('chat_updated', { chatId, change: 'created', title, workspaceMode, workspaceRoot });
    await log.prepare();
    await keepNew(meta, async () => (wanted.activate === false ? tell() : activeChat.set(chatId, tell)));
    if (plan) planned = undefined;
    return shown(meta);
  }

  async function rebuild(): Promise<readonly Repair[]> {
    const lock = await options.lockHome();
    try {
      log.flush();
      const idsPath = join(product.home, 'event_id.json');
      const goOnAfter = (used: number): boolean => log.goOnAfter(used);
      const repairs = await rebuildChats({
        storage,
        journals: store,
        exactFiles: options.exactFiles,
        metas,
        chatsFolder,
        idsPath,
        cleanTitle,
        untitled,
        goOnAfter,
      });
      return await emitter.call('chat.rebuild', [[...repairs, ...(await activeChat.repair())]]);
    } finally {
      await lock.dispose();
    }
  }

  return {
    // What is wrong with the folder shows to whoever makes a chat there.
    rehearse: () => draft({}).then(ignore, ignore),
    active,
    peekActive,
    rebuild,
    folder,
    create: (wanted) => create(wanted),
    settled: () => metas.settled(),
    get activeId() {
      return activeChat.id;
    },
    peek,
    get: async (chatId) => (chatId === undefined ? active() : shown(await find(chatId))),
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
      for (const told of tellChange(chatId, change)) emitter.emit('chat_updated', told);
      return shown(meta);
    },
    async remove(chatId) {
      await find(chatId);
      await activeChat.read();
      // First of all, so that nothing begins in it any more while what runs there is ended.
      if (!(await metas.forget(chatId))) throw options.notFound('chat', chatId);
      await emitter.call('chat.close', [chatId]);
      const { metas: others } = await metas.all();
      log.flush();
      await journals.close(chatId);
      try {
        await filing.run(chatId, () => moveToTrash(chatId, chatsFolder, storage, new Set(others.map((meta) => meta.workspaceRoot))));
      } catch (fault) {
        metas.recall(chatId);
        throw storage.unwritable(fault, folder(chatId));
      }
      emitter.emit('chat_updated', { chatId, change: 'deleted' });
      await activeChat.replace(chatId);
      return { newActiveId: activeChat.id ?? null };
    },
    trash: () => listTrash(chatsFolder, storage),
    async restore(chatId) {
      // Where its workspace stayed, what was said after the deletion may have made a journal.
      folder(chatId);
      log.flush();
      await journals.close(chatId);
      if (!(await filing.run(chatId, () => takeFromTrash(chatId, chatsFolder, storage)))) throw options.notFound('deleted chat', chatId);
      metas.recall(chatId);
      const meta = await find(chatId);
      emitter.emit('chat_updated', { chatId, change: 'restored', title: meta.title });
      return shown(meta);
    },
    async erase(chatId) {
      folder(chatId);
      if (!(await filing.run(chatId, () => eraseFromTrash(chatId, chatsFolder, storage, beforeErase(emitter, store)))))
        throw options.notFound('deleted chat', chatId);
      emitter.emit('chat_updated', { chatId, change: 'erased' });
    },
    async fork(chatId, atTurn) {
      const source = await find(chatId);
      if (atTurn !== undefined && !storage.isId('turn', atTurn)) throw options.notFound('turn', atTurn);
      const copyId = storage.createId('chat');
      log.flush();
      const turns = await copyChat({
        storage,
        journals: store,
        from: folder(chatId),
        to: folder(copyId),
        chatId: copyId,
        nextId: () => log.nextId(),
        copyOwn: (copied) => emitter.call('chat.fork', [{ from: chatId, to: copyId, turns: copied }]),
        ...(atTurn === undefined ? {} : { atTurn }),
      });
      if (turns === undefined) throw options.notFound('turn', atTurn);
      const at = new Date().toISOString();
      const title = cleanTitle(`${source.title} (fork)`);
      const own = { chatId: copyId, title, isTitled: true, pinned: false, archived: false };
      const meta: SavedMeta = { ...source, ...own, workspaceMode: 'reuse', createdAt: at, updatedAt: at, turns: turns.size };
      await keepNew(meta);
      emitter.emit('chat_updated', { chatId: copyId, change: 'forked', title, workspaceMode: meta.workspaceMode, workspaceRoot: meta.workspaceRoot });
      return shown(meta);
    },
    async transcript(chatId, page = {}) {
      await find(chatId);
      log.flush();
      journals.open(chatId);
      const read = await readTranscriptPage(store, journalPath(chatId), { ...page, isBusy: () => options.isBusy(chatId), complete: options.complete });
      if (!read) throw options.invalid('`before` must be the cursor of another page of this transcript.');
      return read;
    },
    async search(query, limit = 50) {
      const text = query.trim().toLowerCase();
      if (text === '') return [];
      log.flush();
      const ids = (await metas.all()).metas.map(({ chatId }) => chatId);
      return searchChats(ids, text, limit, (chatId) => store.read(journalPath(chatId)));
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

function ignore(): void {}
