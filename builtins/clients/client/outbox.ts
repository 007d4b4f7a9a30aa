// Sends outgoing messages in order per chat. Stores each message until the server acknowledges it, and retries while the server does not respond.
import { backoffMs } from '#lib/async';
import { CallError, type ReplyOf } from './api.ts';
import type { KeptTexts } from './client-contract.ts';
import { storeMessages, type StoredMessage } from './stored-messages.ts';
import type { Outgoing, UserEntry } from './state.ts';

export type Acknowledgement = ReplyOf<'POST /api/message'>;

export interface OutboxOptions {
  readonly kept: KeptTexts | undefined;
  /** Rejects with a {@link CallError}. */
  post(message: Outgoing): Promise<Acknowledgement>;
  onChange(chatId: string): void;
  onAccepted(message: Outgoing, reply: Acknowledgement): void;
  /** Notifies the user. */
  tell(chatId: string, text: string): void;
  /** First and longest retry delay, in milliseconds; shorter in tests only. */
  readonly waits?: { readonly first: number; readonly longest: number };
}

export interface Outbox {
  /** Starts sending, including messages that an earlier page left unsent. */
  start(): void;
  add(message: Outgoing): void;
  resend(clientId: string): void;
  drop(clientId: string): void;
  /** Returns the messages that the transcript does not contain yet; the same array while nothing changes. */
  entries(chatId: string): readonly UserEntry[];
  /** Removes the messages that the transcript contains. */
  settle(chatId: string, isShown: (message: { readonly clientId: string; readonly messageId?: string }) => boolean): void;
  /** Retries immediately. */
  wake(): void;
  close(): void;
}

interface Item {
  message: StoredMessage;
  entry: UserEntry;
  reply?: Acknowledgement;
  isShown: boolean;
}

interface Lane {
  items: Item[];
  entries: readonly UserEntry[];
  isSending: boolean;
  /** Failures since the last success. */
  tries: number;
  timer?: ReturnType<typeof setTimeout> | undefined;
}

const usualWaits = { first: 500, longest: 10_000 };
const lostFiles = 'Its files were too large to be stored when the page was closed. Attach them to a new message, or send it without them.';
const memoryOnly = '[UI] The files of this message are too large to survive a reload. Keep this page open until the message is sent.';

export function createOutbox(options: OutboxOptions): Outbox {
  const kept = storeMessages(options.kept);
  const waits = options.waits ?? usualWaits;
  const queues = new Map<string, Lane>();
  let isRunning = false;

  function queueOf(chatId: string): Lane {
    let queue = queues.get(chatId);
    if (!queue) queues.set(chatId, (queue = { items: [], entries: [], isSending: false, tries: 0 }));
    return queue;
  }

  function changed(chatId: string): void {
    const queue = queueOf(chatId);
    queue.entries = queue.items.filter((item) => !item.isShown).map((item) => item.entry);
    options.onChange(chatId);
  }

  function update(item: Item, change: { readonly problem?: string; readonly reply?: Acknowledgement }): void {
    const { problem: _problem, ...message } = item.message;
    item.message = { ...message, ...(change.problem === undefined ? {} : { problem: change.problem }) };
    if (change.reply) item.reply = change.reply;
    item.entry = entryOf(item.message, change.reply);
    changed(message.chatId);
  }

  function remove(item: Item): void {
    const queue = queueOf(item.message.chatId);
    queue.items = queue.items.filter((one) => one !== item);
    kept.remove(item.message.clientId);
    changed(item.message.chatId);
  }

  function find(clientId: string): Item | undefined {
    for (const queue of queues.values()) for (const item of queue.items) if (item.message.clientId === clientId) return item;
    return undefined;
  }

  async function sendNext(queue: Lane): Promise<void> {
    const item = queue.items.find((one) => !one.reply && one.message.problem === undefined);
    if (!item || queue.isSending || !isRunning) return;
    queue.isSending = true;
    clearTimeout(queue.timer);
    queue.timer = undefined;
    try {
      const reply = await options.post(item.message);
      queue.isSending = false;
      queue.tries = 0;
      take(item, reply);
    } catch (fault) {
      queue.isSending = false;
      if (!isLasting(fault)) return tryLater(queue, fault);
      if (item.isShown) remove(item);
      else refuse(item, fault.message);
    }
    void sendNext(queue);
  }

  function take(item: Item, reply: Acknowledgement): void {
    kept.remove(item.message.clientId);
    // The user may have discarded the message while it was being sent, but the server has received it.
    if (item.isShown) remove(item);
    else update(item, { reply });
    options.onAccepted(item.message, reply);
  }

  function refuse(item: Item, problem: string): void {
    update(item, { problem });
    kept.put(item.message);
  }

  function tryLater(queue: Lane, fault: unknown): void {
    // Waits for a new token, which triggers a retry.
    if (!isRunning || (fault instanceof CallError && fault.status === 401)) return;
    queue.timer = setTimeout(() => void sendNext(queue), backoffMs(queue.tries++, waits));
  }

  return {
    start() {
      if (isRunning) return;
      isRunning = true;
      for (const message of kept.read()) {
        if (find(message.clientId)) continue;
        const problem = message.lostFiles && message.problem === undefined ? { problem: lostFiles } : {};
        const { lostFiles: _lost, ...rest } = message;
        queueOf(message.chatId).items.push(itemOf({ ...rest, ...problem }));
        changed(message.chatId);
      }
      for (const queue of queues.values()) void sendNext(queue);
    },
    add(message) {
      const queue = queueOf(message.chatId);
      queue.items.push(itemOf(message));
      const isWhole = kept.put(message);
      changed(message.chatId);
      if (!isWhole && options.kept && message.attachments.length > 0) options.tell(message.chatId, memoryOnly);
      void sendNext(queue);
    },
    resend(clientId) {
      const item = find(clientId);
      if (item?.message.problem === undefined) return;
      update(item, {});
      kept.put(item.message);
      void sendNext(queueOf(item.message.chatId));
    },
    drop(clientId) {
      const item = find(clientId);
      if (item) remove(item);
    },
    entries: (chatId) => queues.get(chatId)?.entries ?? noEntries,
    settle(chatId, isShown) {
      for (const item of queues.get(chatId)?.items ?? []) {
        const { message, reply } = item;
        if (item.isShown || !isShown({ clientId: message.clientId, ...(reply ? { messageId: reply.messageId } : {}) })) continue;
        item.isShown = true;
        if (reply) remove(item);
        else changed(chatId);
      }
    },
    wake() {
      for (const queue of queues.values()) {
        queue.tries = 0;
        void sendNext(queue);
      }
    },
    close() {
      isRunning = false;
      for (const queue of queues.values()) clearTimeout(queue.timer);
    },
  };
}

const noEntries: readonly UserEntry[] = [];

/** Returns whether a retry would also be refused. */
function isLasting(fault: unknown): fault is CallError {
  return fault instanceof CallError && fault.status >= 400 && fault.status < 500 && fault.status !== 401 && fault.status !== 408 && fault.status !== 429;
}

function itemOf(message: StoredMessage): Item {
  return { message, entry: entryOf(message, undefined), isShown: false };
}

function entryOf({ clientId, text, attachments, at, problem, whenBusy, liveDictation = false }: StoredMessage, reply: Acknowledgement | undefined): UserEntry {
  return {
    ...{ id: `outgoing_${clientId}`, kind: 'user', at, text, clientId },
    attachments: attachments.map(({ name, dataUrl }) => ({ name, mimeType: /^data:([^;,]*)/.exec(dataUrl)?.[1] ?? '' })),
    state: problem !== undefined ? 'failed' : !reply ? 'sending' : reply.queued ? 'queued' : 'accepted',
    ...(problem === undefined ? {} : { problem }),
    ...(reply ? { turnId: reply.turnId } : {}),
    ...(whenBusy === 'steer' ? { isSteer: true } : {}),
    ...(liveDictation ? { liveDictation } : {}),
  };
}
