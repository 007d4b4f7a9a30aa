// Creates the modules of chats on first use (ids, journals, event log, chats), and closes them.
import { join } from 'node:path';
import type { Emitter, KernelError, Registry } from 'agent-harness/kernel';
import { faultReason } from '#lib/errors';
import type {} from 'agent-harness/plugins/agent';
import { createChatStore, type ChatStore } from './store/chat-store.ts';
import { createEventIds } from './journal/event-ids.ts';
import { createEventLog, type EventLogOptions, type RunningEventLog } from './journal/event-log.ts';
import { lockHome } from './home-lock.ts';
import { createJournals } from './journal/journals.ts';
import type { manifest } from './manifest.ts';

const idleCheckMs = 60_000;

export interface Parts {
  (): { readonly log: RunningEventLog; readonly chats: ChatStore };
  close(): Promise<void>;
}

export function createParts(
  registry: Registry<typeof manifest>,
  emitter: Emitter,
  { complete, permissionOf, guardedSchemaOf }: Pick<EventLogOptions, 'complete' | 'permissionOf' | 'guardedSchemaOf'>,
): Parts {
  const busy = new Set<string>();
  const reported = new Set<string>();
  let made: (ReturnType<Parts> & { close(): Promise<void> }) | undefined;

  emitter.on('turn_start', ({ chatId }) => void busy.add(chatId));
  emitter.on('turn_end', ({ chatId }) => void busy.delete(chatId));
  emitter.on('conversation_reset', ({ chatId }) => emitter.emit('chat_updated', { chatId, change: 'reset' }));

  /** Reports each error once. */
  function report(key: string, { code, message }: { readonly code: string; readonly message: string }): void {
    if (reported.has(key)) return;
    reported.add(key);
    registry.log.warn(message);
    emitter.emit('error', { source: 'storage', code, message });
  }

  function make(): NonNullable<typeof made> {
    const { product, storage, journals: store, exactFiles } = registry.services;
    const chatsFolder = join(product.home, 'chats');
    const pathOf = (chatId: string): string => join(chatsFolder, chatId, 'session.jsonl');
    const isBusy = (chatId: string): boolean => busy.has(chatId);
    const unwritable = (chatId: string, cause: unknown): KernelError => {
      const why = faultReason(cause);
      return registry.error('JOURNAL_UNWRITABLE', { chatId, why }, cause);
    };
    const ids = createEventIds({
      files: storage.atOnce,
      journals: store,
      path: join(product.home, 'event_id.json'),
      chatsFolder,
      onBroken: (movedTo) => report('event_id', registry.error('EVENT_ID_BROKEN', { movedTo })),
    });
    const journals = createJournals({
      store,
      pathOf,
      isBusy,
      onOpen: (chatId) => void emitter.call('chat.open', [chatId]).catch((fault: unknown) => registry.log.warn(`chat.open of ${chatId}: ${String(fault)}`)),
      onCut: (chatId, bytes, movedTo) => report(`cut:${movedTo}`, registry.error('JOURNAL_CUT', { chatId, bytes, movedTo })),
      onFault: (chatId, fault) => report(`write:${chatId}`, unwritable(chatId, fault)),
    });
    const log = createEventLog({
      ids,
      journals,
      store,
      storage,
      pathOf,
      chatIds: async () => (await storage.list(chatsFolder)).filter((name) => storage.isId('chat', name)),
      unwritable,
      complete,
      permissionOf,
      guardedSchemaOf,
      isChatId: (text): text is string => storage.isId('chat', text),
      keepsFullOutput: () => registry.config.keepsFullOutput,
      onBrokenLine: (chatId, start) => report(`line:${chatId}:${start}`, registry.error('JOURNAL_BROKEN', { chatId, start })),
      onUnwritable: (chatId, fault) => report(`write:${chatId}`, fault),
      onListenerFault: (fault) => registry.log.error(`a reader of the event log failed: ${String(fault)}`),
    });
    const chats = createChatStore({
      emitter,
      storage,
      store,
      exactFiles,
      product,
      log,
      journals,
      isBusy,
      complete,
      lockHome: () => lockHome(registry),
      onMetaFault: (chatId, fault) => registry.log.error(`meta.json of ${chatId} could not be written: ${String(fault)}`),
      defaultRoot: () => registry.config.workspaceRoot ?? product.startFolder,
      notFound: (what, id) => registry.error('NOT_FOUND', { what, id: String(id) }),
      invalid: (why) => registry.error('INVALID_REQUEST', { why }),
    });
    const timer = setInterval(() => journals.closeIdle(), idleCheckMs).unref();
    return {
      log,
      chats,
      async close() {
        clearInterval(timer);
        await chats.settled();
        log.close();
        await ids.idle();
        await journals.closeAll();
      },
    };
  }

  return Object.assign(() => (made ??= make()), { close: async () => made?.close() });
}
