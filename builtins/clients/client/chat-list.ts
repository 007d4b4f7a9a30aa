// Keeps the list of chats current: applies events immediately, and reloads the list from time to time.
import { handle } from 'agent-harness/transcript';
import type { ApiCall, ChatMeta, ReplyOf, WireEvent } from './api.ts';
import type { ChatListState } from './state.ts';
import { createStore, type Frames, type OwnedStore } from './store.ts';

export interface ChatList {
  readonly store: OwnedStore<ChatListState>;
  /** Resolves once the list contains the response to this request or to a later one. */
  refresh(): Promise<void>;
  /** Loads the list unless it was requested before. Resolves with the newest request. */
  load(): Promise<void>;
  take(event: WireEvent): void;
  takeStatus(status: ReplyOf<'GET /api/status'>): void;
  close(): void;
}

/** Delay, in milliseconds, that combines many events into one request. */
const gatherMs = 250;

export function createChatList(call: ApiCall, frames: Frames): ChatList {
  const store = createStore<ChatListState>({ isLoaded: false, chats: [] }, frames);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;
  let taken = 0;
  let newest = Promise.resolve();
  let isClosed = false;

  function refresh(): Promise<void> {
    // This request also returns the changes for which a delayed request was planned.
    clearTimeout(timer);
    timer = undefined;
    return (newest = request(++asked));
  }

  async function request(own: number): Promise<void> {
    const { chats, activeChatId } = await call('GET /api/chats', { query: { archived: true } });
    // The response to a later request replaces this one, unless that request fails.
    if (own !== asked) await newest.catch(() => undefined);
    if (own < taken) return;
    taken = own;
    const known = new Map(store.get().chats.map((chat) => [chat.chatId, chat]));
    const fresh = chats.map((chat) => {
      const old = known.get(chat.chatId);
      return old && isSame(old, chat) ? old : chat;
    });
    const before = store.get();
    const isUnchanged = before.isLoaded && before.chats.length === fresh.length && fresh.every((chat, at) => chat === before.chats[at]);
    set({ isLoaded: true, chats: isUnchanged ? before.chats : fresh, ...(activeChatId === null ? {} : { activeChatId }) });
  }

  function set(next: ChatListState): void {
    const before = store.get();
    if (before.isLoaded === next.isLoaded && before.chats === next.chats && before.activeChatId === next.activeChatId) return;
    store.set(next);
  }

  function refreshSoon(): void {
    if (isClosed) return;
    timer ??= setTimeout(() => {
      refresh().catch(() => undefined); // the connection state shows the failure, and the list is reloaded after a reconnect
    }, gatherMs);
  }

  function change(chatId: string | undefined, changes: Partial<ChatMeta>): void {
    const before = store.get();
    const at = before.chats.findIndex((chat) => chat.chatId === chatId);
    const old = before.chats[at];
    if (!old || isSame(old, { ...old, ...changes })) return;
    set({ ...before, chats: before.chats.with(at, { ...old, ...changes }) });
  }

  return {
    store,
    refresh,
    load: () => (asked === 0 ? refresh() : newest),
    take(event) {
      const { chatId } = event;
      handle(event, {
        message_accepted: refreshSoon,
        turn_start: () => change(chatId, { busy: true }),
        turn_end() {
          change(chatId, { busy: false });
          refreshSoon();
        },
      });
      if (event.kind === 'chat_switched') set({ ...store.get(), activeChatId: event['activeChatId'] as string });
      if (event.kind === 'chat_updated') change(chatId, saidIn(event));
      if (event.kind === 'chat_updated' && event['change'] === 'deleted') {
        const before = store.get();
        set({ ...before, chats: before.chats.filter((chat) => chat.chatId !== chatId) });
      }
      if (event.kind === 'chat_updated' || event.kind === 'chat_switched') refreshSoon();
    },
    takeStatus({ chats }) {
      for (const { chatId, busy } of chats) change(chatId, { busy });
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** Returns the user's changes to a chat that the event reports. */
function saidIn(event: WireEvent): Partial<ChatMeta> {
  const names = { renamed: 'title', mode: 'mode', pinned: 'pinned', archived: 'archived', tags: 'tags' } as const;
  const changed = names[event['change'] as keyof typeof names] as keyof ChatMeta | undefined;
  return changed === undefined || event[changed] === undefined ? {} : { [changed]: event[changed] as never };
}

function isSame(left: ChatMeta, right: ChatMeta): boolean {
  return Object.keys(right).every((key) => {
    const [one, other] = [left[key as keyof ChatMeta], right[key as keyof ChatMeta]];
    return one === other || (Array.isArray(one) && Array.isArray(other) && one.join('\n') === other.join('\n'));
  });
}
