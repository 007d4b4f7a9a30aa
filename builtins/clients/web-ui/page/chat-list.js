// The list of chats: switch, new, rename, delete.
import { call } from './api.js';
import { byId, make } from './dom.js';

/**
 * @param {{ onOpen(chat: any): void, onList(chats: any[], activeChatId: string | null): void, say(text: string): void }} listener
 */
export function createChatList(listener) {
  const list = byId('chat-items');
  /** @type {any[]} */
  let chats = [];
  let openId = '';
  /** @type {Set<string>} */
  const busy = new Set();
  let reading;

  byId('new-chat').addEventListener('click', () =>
    attempt(async () => {
      const chat = await call('POST', '/api/chats', { workspaceMode: 'scratch' });
      await read();
      listener.onOpen(chat);
    }),
  );

  /** @param {() => Promise<void>} work */
  function attempt(work) {
    work().catch((fault) => listener.say(fault.message));
  }

  async function read() {
    const reply = await call('GET', '/api/chats');
    chats = reply.chats;
    busy.clear();
    for (const chat of chats) if (chat.busy) busy.add(chat.chatId);
    draw();
    listener.onList(chats, reply.activeChatId);
  }

  function draw() {
    list.replaceChildren(...chats.map(row));
  }

  /** @param {any} chat */
  function row(chat) {
    const isOpen = chat.chatId === openId;
    const open = make(
      'button',
      { type: 'button', className: 'chat', title: chat.workspaceRoot, onclick: () => listener.onOpen(chat) },
      chat.title,
      busy.has(chat.chatId) ? ' (working)' : '',
    );
    if (isOpen) open.setAttribute('aria-current', 'true');
    const small = (text, label, onclick) => make('button', { type: 'button', className: 'quiet small', 'aria-label': label, title: label, onclick }, text);
    return make(
      'li',
      {},
      open,
      small('✎', `Rename ${chat.title}`, () => rename(chat)),
      small('✕', `Delete ${chat.title}`, () => remove(chat)),
    );
  }

  /** @param {any} chat */
  function rename(chat) {
    const title = prompt('New title', chat.title)?.trim();
    if (!title || title === chat.title) return;
    attempt(async () => {
      await call('PATCH', `/api/chats/${chat.chatId}`, { title });
      await read();
    });
  }

  /** @param {any} chat */
  function remove(chat) {
    if (!confirm(`Delete the chat "${chat.title}"? It stays in the trash for 30 days.`)) return;
    attempt(async () => {
      const { newActiveId } = await call('DELETE', `/api/chats/${chat.chatId}`);
      await read();
      if (chat.chatId !== openId) return;
      const next =
        chats.find((one) => one.chatId === newActiveId) ??
        chats[0] ??
        (await call('GET', '/api/workspace/current')
          .then(() => read())
          .then(() => chats[0]));
      if (next) listener.onOpen(next);
    });
  }

  return {
    read,
    /** Soon, once for many changes. */
    readSoon() {
      reading ??= setTimeout(() => {
        reading = undefined;
        attempt(read);
      }, 200);
    },
    /** @param {string} chatId */
    setOpen(chatId) {
      openId = chatId;
      draw();
    },
    /** @param {string} chatId @param {boolean} isBusy */
    setBusy(chatId, isBusy) {
      if (busy.has(chatId) === isBusy) return;
      if (isBusy) busy.add(chatId);
      else busy.delete(chatId);
      draw();
    },
  };
}
