// Implements the session of the terminal UI: its client, its chat, and the user's actions on the server.
import {
  createClient,
  createContextUse,
  handle,
  CallError,
  type ChatMeta,
  type ContextUse,
  type Client,
  type ClientOptions,
  type OpenChat,
  type SendOptions,
  type WireEvent,
} from 'agent-harness/client';
import type { OpenTerminalPanel, ReachedChat, TerminalLine, TerminalPanel } from 'agent-harness/builtins/clients/cli';
import { messageOf } from '#lib/errors';
import { canPace, openPaced } from '#lib/paced-stream';
import { createServerSeeker, type ServerSeeker } from '#lib/running-server';

export interface Session {
  /** Set once the server is found. */
  readonly client: Client | undefined;
  readonly chat: OpenChat | undefined;
  readonly meta: ChatMeta | undefined;
  readonly defaultModel: string | undefined;
  /** Number of tokens in the newest request and the model's context window, if both are known. */
  readonly context: { readonly used: number; readonly size: number } | undefined;
  /** Returns the lines of plugin panels for this chat. @param most maximum number of lines */
  lines(most: number): readonly TerminalLine[];
  /** Connects and shows the chat. */
  open(reached: ReachedChat): void;
  show(chatId: string): void;
  /** Sends a message; queues it until the server is found. */
  send(text: string, options?: SendOptions): void;
  /** Runs a server command and shows its result as a note. */
  runCommand(name: string, args: string): Promise<void>;
  stop(): Promise<void>;
  /** Restores the newest queued message to the field; returns false if no message is queued. */
  takeBack(): boolean;
  /** Turns of messages that the user restored to the field; these turns are hidden. */
  readonly takenBack: ReadonlySet<string>;
  /** Returns files and folders of the chat's workspace, best match first. */
  findPaths(query: string, signal: AbortSignal): Promise<readonly string[]>;
  close(): void;
}

export interface SessionParts {
  readonly panels: readonly TerminalPanel[];
  /** Called when visible content changes. */
  redraw(): void;
  /** Called when another chat is shown. */
  onSwitch(): void;
  /** Called with the texts of messages that the agent had not read. */
  onTakenBack(texts: readonly string[]): void;
  say(text: string): void;
}

/** Minimum interval between reads of the event stream in milliseconds. Each read causes a frame, and 20 frames per second look smooth. */
const paceMs = 50;

export function createSession({ panels, redraw, onSwitch, onTakenBack, say }: SessionParts): Session {
  let client: Client | undefined;
  let seeker: ServerSeeker | undefined;
  let chat: OpenChat | undefined;
  const early: { readonly text: string; readonly options: SendOptions | undefined }[] = [];
  let leave: (() => void)[] = [];
  let defaultModel: string | undefined;
  let opened: readonly OpenTerminalPanel[] = [];
  let context: ContextUse | undefined;
  const takenBack = new Set<string>();
  /** Context windows in tokens by model; requested after the first usage. */
  let windows: Map<string, number> | undefined;

  const meta = (): ChatMeta | undefined => client?.chats.get().chats.find(({ chatId }) => chatId === chat?.chatId);

  function onEvent(event: WireEvent): void {
    if (!chat || event.chatId !== chat.chatId) return;
    handle(event, { usage: readWindows });
    context?.hear(event);
    for (const panel of opened) panel.take(event);
  }

  function readWindows(): void {
    if (windows || !client) return;
    windows = new Map();
    client
      .call('GET /api/models')
      .then(({ models }) => {
        windows = new Map(models.flatMap(({ id, contextLength }) => (contextLength === undefined ? [] : [[id, contextLength]])));
        redraw();
      })
      .catch(() => undefined); // the context usage is not shown
  }

  function openPanels(about: Client, chatId: string): void {
    for (const panel of opened) panel.close?.();
    opened = panels.map((panel) => panel.open({ chatId, read: (path) => readAt(about, path), changed: redraw }));
    context = createContextUse(() => windows?.get(meta()?.model ?? chat?.state.get().running?.model ?? defaultModel ?? ''));
  }

  function show(chatId: string): void {
    if (!client || chat?.chatId === chatId) return;
    for (const undo of leave) undo();
    const shown = (chat = client.open(chatId));
    openPanels(client, chatId);
    leave = [
      shown.state.subscribe(redraw),
      shown.marks.subscribe(redraw),
      shown.takenBack.subscribe(() => {
        if (shown.takenBack.get().length > 0) onTakenBack(shown.takeBack());
      }),
    ];
    onSwitch();
  }

  async function readModel(about: Client): Promise<void> {
    defaultModel = (await about.call('GET /api/settings')).provider.model;
    redraw();
  }

  return {
    get defaultModel() {
      return defaultModel;
    },
    get client() {
      return client;
    },
    get chat() {
      return chat;
    },
    get meta() {
      return meta();
    },
    get context() {
      return context?.read();
    },
    lines: (most) => opened.flatMap((panel) => panel.lines(most, chat?.state.get().running?.turnId)).slice(0, most),
    open({ url, token, chatId, find }) {
      let origin = url;
      const openStream: ClientOptions['openStream'] = (address, headers, signal) => openPaced(address, headers, signal, paceMs);
      const about = createClient({ origin: () => origin, token, ...(canPace(url) ? { openStream } : {}), schedule: (work) => void setImmediate(work) });
      client = about;
      seeker = createServerSeeker({
        find,
        isLost: () => about.connection.get().rest === 'down' || about.connection.get().stream === 'lost',
        take(found) {
          origin = found.url;
          about.call('GET /api/status').catch(() => undefined); // the server responds, so the client reconnects
        },
      });
      client.connection.subscribe(seeker.check);
      client.connection.subscribe(redraw);
      client.chats.subscribe(redraw);
      client.on(onEvent);
      client.start().catch((fault: unknown) => say(messageOf(fault)));
      readModel(client).catch(() => undefined); // a client without the right to read the model
      show(chatId);
      for (const { text, options } of early.splice(0)) chat?.send(text, options);
    },
    show,
    send(text, options) {
      if (chat) chat.send(text, options);
      else early.push({ text, options });
    },
    async runCommand(name, args) {
      if (!client || !chat) throw new Error('The server is not connected yet. Try again.');
      const about = chat;
      try {
        const { text, view } = await client.call('POST /api/commands', { body: { name, args, chatId: about.chatId } });
        if (text !== '') about.note(text, view);
      } catch (fault) {
        // A command that calls tools runs as a turn, and a turn starts with a message.
        if (fault instanceof CallError && /needs_turn$/i.test(fault.code)) about.send(`/${name} ${args}`.trim());
        else throw fault;
      }
    },
    async stop() {
      await chat?.abort().catch((fault: unknown) => say(messageOf(fault)));
    },
    takenBack,
    takeBack() {
      const about = chat;
      const waiting = about?.state
        .get()
        .entries.findLast((entry) => entry.kind === 'user' && entry.state === 'queued' && !entry.origin && !takenBack.has(entry.turnId ?? ''));
      if (!client || !about || waiting?.kind !== 'user' || waiting.turnId === undefined) return false;
      const { text, turnId } = waiting;
      takenBack.add(turnId);
      client.call('POST /api/message/take-back', { body: { turnId, chatId: about.chatId } }).then(
        () => about.putBack(text),
        (fault: unknown) => {
          takenBack.delete(turnId);
          say(messageOf(fault));
        },
      );
      return true;
    },
    async findPaths(query, signal) {
      if (!client || !chat) return [];
      return (await client.call('GET /api/workspace/paths', { query: { chatId: chat.chatId, query }, signal })).paths;
    },
    close() {
      seeker?.close();
      for (const undo of leave) undo();
      for (const panel of opened) panel.close?.();
      client?.close();
    },
  };
}

async function readAt(client: Client, path: string): Promise<unknown> {
  return JSON.parse(await (await client.bytes(path)).text());
}
