// Implements a viewed chat: transcript, stream updates, outgoing messages, and user actions.
import { createQuietView, emptyTranscript, handle, isQueued, withWait, type Entry } from 'agent-harness/transcript';
import type { View } from 'agent-harness/view';
import { BoundedMap } from '#lib/values';
import { CallError, type ApiCall, type WireEvent } from './api.ts';
import { createChatActions } from './chat-actions.ts';
import { createChatWatch } from './chat-watch.ts';
import type { OpenChat } from './client-contract.ts';
import { EventBuffer } from './event-buffer.ts';
import { createEntryMarks } from './entry-marks.ts';
import type { Acknowledgement, Outbox } from './outbox.ts';
import { localPrefix, prependPage, readTranscript, type ChatStatus } from './read-transcript.ts';
import { reduceEvents } from './reduce-events.ts';
import type { ChatState, NoteEntry, Outgoing } from './state.ts';
import type { Status } from './status-poll.ts';
import { createStore, type Frames } from './store.ts';
import { createUsageReader } from './usage-reader.ts';

export interface OwnedChat extends OpenChat {
  take(event: WireEvent): void;
  takeStatus(status: Status): void;
  /** Called every few seconds. */
  tick(): void;
  /** Called when the server has accepted the message. */
  accepted(message: Outgoing, reply: Acknowledgement): void;
  /** Called when the outbox changes. */
  refresh(): void;
  /** Reloads the transcript if events may be missing, or if loading has failed. */
  catchUp(isMissing: boolean): void;
  readonly isBusy: boolean;
  close(): void;
}

export interface ChatParts {
  readonly call: ApiCall;
  readonly frames: Frames;
  readonly outbox: Outbox;
  /** Resolves when the stream is open, or after the time limit. */
  streamReady(): Promise<void>;
  readStatus(): Promise<Status>;
  /** ISO 8601 by the server's clock. */
  serverNow(): string;
  createId(): string;
  /** Called when the chat becomes busy or idle. */
  onBusy(): void;
  /** Returns whether this client may read the cost of a chat; resolves once its rights are known. */
  mayReadUsage(): Promise<boolean>;
  /** Returns whether traces, arguments and progress are left out. */
  isQuiet(): boolean;
}

/** Maximum number of events waiting for a frame. */
const pendingLimit = 5_000;
const endedLimit = 50;
/** Minimum interval between reloads caused by gaps. */
const reloadEveryMs = 2_000;

export function createOpenChat(chatId: string, parts: ChatParts): OwnedChat {
  const { call, frames, outbox } = parts;
  let base: ChatState = {
    ...emptyTranscript,
    ...{ chatId, isLoaded: false, lastSignAt: Date.now() },
  };
  const state = createStore<ChatState>(base, frames);
  let shown = { base, outgoing: outbox.entries(chatId), isQuiet: false };
  const quieten = createQuietView();
  const marks = createEntryMarks(frames);
  const pending = new EventBuffer();
  let loading: Promise<void> | undefined;
  /** Whether a request was sent; its reply will lack later events. */
  let isReading = false;
  let isAgain = false;
  let isStale = false;
  let loadedAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  let notes = 0;
  const ended = new BoundedMap<string, true>(endedLimit);
  const usage = createUsageReader({ chatId, call, mayRead: () => parts.mayReadUsage(), onRead: (read) => set({ ...base, usage: read }) });

  const watch = createChatWatch({
    chat: () => base,
    say: note,
    onOver(turnId) {
      ended.set(turnId, true);
      const { running: _running, ...rest } = base;
      set(rest);
      void load();
    },
  });

  function set(next: ChatState): void {
    const wasBusy = base.running !== undefined;
    base = next;
    watch.see(base);
    publish();
    if (wasBusy !== (base.running !== undefined)) parts.onBusy();
  }

  function publish(): void {
    const outgoing = outbox.entries(chatId);
    const isQuiet = parts.isQuiet();
    if (shown.base === base && shown.outgoing === outgoing && shown.isQuiet === isQuiet) return;
    shown = { base, outgoing, isQuiet };
    const entries = isQuiet ? quieten(base.entries) : base.entries;
    state.set(outgoing.length === 0 && !isQuiet ? base : { ...base, entries: [...entries, ...outgoing] });
  }

  function flush(): void {
    if (!base.isLoaded || loading !== undefined || pending.size === 0 || isClosed) return;
    const events = pending.take();
    const { state: next, needsReload } = reduceEvents(base, events, Date.now());
    settle(next.entries);
    set(next);
    marks.take(events);
    if (needsReload) reloadSoon();
  }

  /** Removes outgoing messages that the transcript shows. */
  function settle(entries: readonly Entry[]): void {
    if (outbox.entries(chatId).length === 0) return;
    const clientIds = new Set(entries.map((entry) => (entry.kind === 'user' ? entry.clientId : undefined)));
    outbox.settle(chatId, (message) => clientIds.has(message.clientId));
  }

  function reloadSoon(): void {
    if (timer !== undefined || isClosed) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        void load();
      },
      Math.max(0, loadedAt + reloadEveryMs - Date.now()),
    );
  }

  function load(): Promise<void> {
    return (loading ??= read().finally(() => {
      loading = undefined;
      isReading = false;
      loadedAt = Date.now();
      if (isAgain && !isClosed) void load();
      else flush();
    }));
  }

  async function read(): Promise<void> {
    await parts.streamReady();
    // The transcript being loaded contains these events; later ones are added to it.
    pending.restart();
    isReading = true;
    isAgain = false;
    try {
      const [page, status] = await Promise.all([call('GET /api/chats/:id/transcript', { params: { id: chatId } }), parts.readStatus()]);
      const own = status.chats.find((one) => one.chatId === chatId);
      const next = readTranscript(base, { page, ...(own && isCurrent(own) ? { status: own } : {}) });
      // The reply to a message may still be in transit.
      settle(next.entries);
      pending.takenUpTo(page.upTo);
      watch.reset();
      set(next);
      marks.read(page.marks);
      isStale = false;
      usage.readSoon();
    } catch (fault) {
      isStale = true;
      // A request without a response is repeated when the server responds again; a refusal is final.
      if (!(fault instanceof CallError) || fault.status === 0 || fault.status === 401 || fault.status >= 500) return;
      isStale = false;
      set({ ...base, isLoaded: true, entries: [noteOf(fault.message, { kind: 'error', code: fault.code })] });
    }
  }

  const isCurrent = (status: ChatStatus): boolean => status.turnId === undefined || !ended.has(status.turnId);

  function noteOf(text: string, more: Partial<NoteEntry> = {}): NoteEntry {
    return { id: `${localPrefix}${parts.createId()}_${++notes}`, kind: 'system', at: parts.serverNow(), text, ...more };
  }

  function note(text: string, view?: View): void {
    const at = base.entries.findLastIndex((entry) => !isQueued(entry)) + 1;
    set({ ...base, entries: base.entries.toSpliced(at, 0, noteOf(text, view === undefined ? {} : { view })) });
  }

  void load();
  return {
    chatId,
    state,
    marks: marks.store,
    get isBusy() {
      return base.running !== undefined;
    },
    send(text, sent = {}) {
      const { attachments = [], whenBusy = 'queue', liveDictation = false } = sent;
      const message = { clientId: parts.createId(), chatId, text, attachments, whenBusy, at: parts.serverNow() };
      outbox.add({ ...message, ...(liveDictation ? { liveDictation } : {}) });
    },
    resend: (clientId) => outbox.resend(clientId),
    drop: (clientId) => outbox.drop(clientId),
    ...createChatActions({
      ...{ chatId, call, set, frames: parts.frames, serverNow: parts.serverNow },
      chat: () => base,
    }),
    loadOlder: onceAtATime(async (limit?: number) => {
      const { before } = base;
      if (before === undefined) return;
      const page = await call('GET /api/chats/:id/transcript', { params: { id: chatId }, query: { before, ...(limit === undefined ? {} : { limit }) } });
      // Discards the page if the transcript was reloaded and begins elsewhere.
      if (base.before === before) set(prependPage(base, page));
    }),
    reload: load,
    note,
    take(event) {
      handle(event, { turn_end: ({ turnId }) => (turnId === undefined ? undefined : void ended.set(turnId, true)) });
      if (!pending.register(event)) return;
      // The next load of the transcript will contain the event.
      if (!base.isLoaded && loading === undefined) return;
      pending.add(event);
      if (pending.size > pendingLimit) flush();
      else frames.request(flush);
    },
    takeStatus(status) {
      if (!base.isLoaded || loading !== undefined) return;
      const own = status.chats.find((one) => one.chatId === chatId);
      const { turnId, waitingFor = 'model', since } = own ?? { since: '' };
      if (own?.busy && turnId !== undefined && isCurrent(own)) {
        const running = withWait(base.running, { turnId, waitingFor: waitingFor, since });
        if (running !== base.running) set({ ...base, running });
      }
      watch.sample(status);
    },
    tick: watch.tick,
    accepted(message, reply) {
      const { turnId, messageId } = reply;
      outbox.settle(chatId, (one) => one.messageId === messageId && base.entries.some((entry) => entry.id === messageId));
      if (reply.queued || base.running || ended.has(turnId)) return;
      const since = parts.serverNow();
      set({ ...base, running: { turnId, startedAt: message.at, waitingFor: 'model', since } });
    },
    refresh: publish,
    catchUp(isMissing) {
      if (isMissing && isReading) isAgain = true;
      else if (isMissing || isStale || !base.isLoaded) void load();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      usage.close();
    },
  };
}

function onceAtATime<A extends readonly unknown[]>(work: (...args: A) => Promise<void>): (...args: A) => Promise<void> {
  let running: Promise<void> | undefined;
  return (...args) =>
    (running ??= work(...args).finally(() => {
      running = undefined;
    }));
}
