// Creates the client: one stream, one outbox, one status poll, and a state per viewed chat.
import { handle } from 'agent-harness/transcript';
import { permits } from '#lib/permits';
import type { ApiCall, WireEvent } from './api.ts';
import { createRequests } from './call-server.ts';
import { createClientAccess } from './client-access.ts';
import { createChatList } from './chat-list.ts';
import type { Client, ClientOptions, ClientTransport } from './client-contract.ts';
import { createFaultList } from './fault-list.ts';
import { openEventSource, type ReconnectingSource, type StreamReply, type Waits } from './event-source.ts';
import { createOpenChat, type OwnedChat } from './open-chat.ts';
import { createOutbox, type Acknowledgement } from './outbox.ts';
import type { ConnectionState, Outgoing } from './state.ts';
import { createStatusPoll, type Status } from './status-poll.ts';
import { changeStore, createFrames, createStore } from './store.ts';
import { createStreamGate } from './stream-gate.ts';

/** Intervals and time limits in milliseconds; shorter in tests only. */
export interface ClientWaits {
  readonly stream?: Partial<Waits>;
  readonly outbox?: { readonly first: number; readonly longest: number };
  readonly busyPoll?: number;
}

const busyPollMs = 5_000;
const idlePollMs = 30_000;

/** Creates a client. The caller must close it. */
export function createClient(options: ClientOptions & { readonly waits?: ClientWaits }): Client {
  const { kept, waits = {} } = options;
  const fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const frames = createFrames(options.schedule ?? ((work) => void setTimeout(work, 16)));
  const connection = createStore<ConnectionState>({ stream: 'connecting', rest: 'unknown' }, frames);
  const listeners = new Set<(event: WireEvent) => void>();
  const chats = new Map<string, OwnedChat>();
  const busyIds = new Set<string>();
  /** The server's clock minus ours, in milliseconds. */
  let skew = 0;
  let source: ReconnectingSource | undefined;
  let isClosed = false;
  const gate = createStreamGate(() => connection.get().stream === 'open');

  const origin = (): string => (typeof options.origin === 'function' ? options.origin() : options.origin);
  const token = (): string | undefined => access.token();
  const requests = createRequests({ origin, fetch, token, onOutcome });
  let transport: ReturnType<ClientTransport> | undefined;
  const call = ((key, input) => (transport?.call ?? requests.call)(key, input)) as ApiCall;
  const access = createClientAccess({
    ...{ call, kept, token: options.token },
    onConfig(config) {
      setConnection({ config });
      chats.forEach((chat) => chat.refresh());
    },
  });
  const list = createChatList(call, frames);
  const faults = createFaultList(frames);
  const outbox = createOutbox({
    kept,
    post: (message) => postMessage(call, message),
    onChange: (chatId) => chats.get(chatId)?.refresh(),
    onAccepted: (message, reply) => chats.get(message.chatId)?.accepted(message, reply),
    tell: (chatId, text) => chats.get(chatId)?.note(text),
    ...(waits.outbox ? { waits: waits.outbox } : {}),
  });
  const poll = createStatusPoll({
    call,
    interval: () => (connection.get().stream !== 'open' || isBusy() ? (waits.busyPoll ?? busyPollMs) : idlePollMs),
    onStatus: takeStatus,
    onTick: () => chats.forEach((chat) => chat.tick()),
  });

  const isBusy = (): boolean => busyIds.size > 0 || [...chats.values()].some((chat) => chat.isBusy);
  const setConnection = (change: Partial<ConnectionState>): void => changeStore(connection, change);

  function onOutcome(outcome: 'up' | 'down' | 'refused'): void {
    const before = connection.get().rest;
    setConnection({ rest: outcome });
    if (outcome === 'up' && before !== 'up') comeBack();
  }

  /** Handles a server that responds again. */
  function comeBack(): void {
    source?.wake();
    outbox.wake();
    if (source && !connection.get().config) access.readConfig().catch(() => undefined);
    if (source && !list.store.get().isLoaded) list.refresh().catch(() => undefined);
    chats.forEach((chat) => chat.catchUp(false));
  }

  function takeStatus(status: Status): void {
    const { lastTurnEndedAt } = status;
    if (lastTurnEndedAt !== undefined) setConnection({ lastTurnEndedAt });
    busyIds.clear();
    for (const chat of status.chats) if (chat.busy) busyIds.add(chat.chatId);
    list.takeStatus(status);
    chats.forEach((chat) => chat.takeStatus(status));
    if (!connection.get().config) access.readConfig().catch(() => undefined);
    poll.adjust();
  }

  function onStream(state: 'open' | 'resumed' | 'lost' | 'refused'): void {
    if (state === 'open' || state === 'resumed') {
      setConnection({ stream: 'open', rest: 'up' });
      gate.open();
      outbox.wake();
      if (state === 'open') return resync();
      return chats.forEach((chat) => chat.catchUp(false));
    }
    // Before its first success, the client counts as connecting.
    if (state === 'refused' || connection.get().stream === 'open') setConnection({ stream: state });
    if (state === 'refused') void renewToken();
    else poll.ask().catch(() => undefined);
    poll.adjust();
  }

  function onEvents(events: readonly WireEvent[]): void {
    for (const event of events) {
      if (event.kind === 'connected') skew = Date.parse(event.at) - Date.now() || 0;
      else if (event.kind === 'resync') resync();
      else if (event.kind !== 'transcript_replay') takeEvent(event);
      for (const listener of [...listeners]) listener(event);
    }
  }

  function takeEvent(event: WireEvent): void {
    const { chatId } = event;
    if (faults.take(event)) return;
    list.take(event);
    if (event.kind === 'config_changed' || event.kind === 'provider_changed') access.readConfig().catch(() => undefined);
    if (event.kind === 'entry_marks_changed') chats.forEach((chat) => chat.catchUp(true));
    if (chatId === undefined) return;
    const begin = (): void => {
      busyIds.add(chatId);
      poll.adjust();
    };
    handle(event, {
      turn_start: begin,
      harness_running: begin,
      turn_end({ at }) {
        busyIds.delete(chatId);
        setConnection({ lastTurnEndedAt: at });
      },
    });
    chats.get(chatId)?.take(event);
  }

  function resync(): void {
    chats.forEach((chat) => chat.catchUp(true));
    list.refresh().catch(() => undefined);
  }

  /** Handles a refused token: requests another token, or reports that the user must enter one. */
  async function renewToken(): Promise<void> {
    if (await access.renew()) source?.restart();
    else if (!isClosed) setConnection({ stream: 'refused' });
  }

  function connect(headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response | StreamReply> {
    const path = '/api/stream?chatId=all';
    if (!options.openStream) return requests.send(path, { headers, signal });
    const own = token();
    return options.openStream(origin() + path, { ...headers, ...(own === undefined ? {} : { authorization: `Bearer ${own}` }) }, signal);
  }

  function openSource(): void {
    const parts = { onEvents, onState: onStream, ...(waits.stream ? { waits: waits.stream } : {}) };
    transport = options.transport?.({ ...parts, origin: origin(), token, requests });
    source = transport ?? openEventSource({ ...parts, connect });
  }

  return {
    connection,
    chats: list.store,
    faults: faults.store,
    call,
    bytes: (path) => requests.bytes(path),
    open(chatId) {
      const known = chats.get(chatId);
      if (known) return known;
      const chat = createOpenChat(chatId, {
        ...{ call, frames, outbox, streamReady: () => gate.ready(), readStatus: () => poll.ask(), createId },
        serverNow: () => new Date(Date.now() + skew).toISOString(),
        onBusy: () => poll.adjust(),
        async mayReadUsage() {
          await access.configured;
          const rights = connection.get().config?.rights;
          return rights === undefined || permits(rights, 'usage.read');
        },
        isQuiet: () => connection.get().config?.uiVerbosity === 'quiet',
      });
      chats.set(chatId, chat);
      return chat;
    },
    on(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    refreshChats: () => list.refresh(),
    useToken(given) {
      access.use(given);
      setConnection({ stream: 'connecting', rest: 'unknown' });
      access.readConfig().catch(() => undefined);
      outbox.wake();
      source?.restart();
    },
    async start() {
      if (source || isClosed) return;
      await access.begin();
      if (isClosed) return;
      poll.start();
      outbox.start();
      openSource();
      await gate.ready();
      await list.load().catch(() => undefined);
    },
    close() {
      isClosed = true;
      source?.close();
      outbox.close();
      poll.close();
      list.close();
      chats.forEach((chat) => chat.close());
      frames.close();
      gate.open();
      listeners.clear();
    },
  };
}

/** Creates an id without `randomUUID`, which browsers restrict to secure contexts. */
function createId(): string {
  return [...globalThis.crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function postMessage(call: ApiCall, { chatId, text, attachments, clientId, whenBusy, liveDictation = false }: Outgoing): Promise<Acknowledgement> {
  const more = { ...(attachments.length === 0 ? {} : { attachments: [...attachments] }), ...(liveDictation ? { liveDictation } : {}) };
  return call('POST /api/message', { body: { chatId, text, clientId, whenBusy, ...more } });
}
