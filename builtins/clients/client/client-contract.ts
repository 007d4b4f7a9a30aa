// Defines the contract of the client for user interfaces: calls, streams, outbox. Needs no DOM.
import type { View } from 'agent-harness/view';
import type { ApiCall, Fault, WireEvent } from './api.ts';
import type { Requests } from './call-server.ts';
import type { EventSourceOptions, ReconnectingSource, StreamReply } from './event-source.ts';
import type { ChatListState, ChatState, ConnectionState, EntryMarks, Outgoing } from './state.ts';

/** An observable value; compatible with React's `useSyncExternalStore`. */
export interface Store<T> {
  get(): T;
  /** Returns the unsubscribe function. Several changes in quick succession are reported once. */
  subscribe(listener: () => void): () => void;
}

/** Storage for the outbox across reloads and for the token across restarts; compatible with `localStorage`. */
export interface KeptTexts {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** A transport for calls and events other than HTTP. Connects immediately. */
export type ClientTransport = (
  parts: Pick<EventSourceOptions, 'onEvents' | 'onState' | 'waits'> & {
    readonly origin: string;
    readonly token: () => string | undefined;
    readonly requests: Requests;
  },
) => ReconnectingSource & { readonly call: ApiCall };

export interface ClientOptions {
  /**
   * Origin, such as `http://127.0.0.1:3001`, without a trailing slash. A function is called on each request, because a restarted server may have another port.
   */
  readonly origin: string | (() => string);
  /** Omitted if the user must enter it. */
  readonly token?: string;
  readonly kept?: KeptTexts;
  readonly fetch?: typeof globalThis.fetch;
  readonly transport?: ClientTransport;
  /** Opens the event stream without `fetch`, because `fetch` delivers each small chunk separately. Rejects as `fetch` does. */
  readonly openStream?: (url: string, headers: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<StreamReply>;
  /** Calls `work` once before the next rendering; default: `setTimeout(…, 16)`. */
  readonly schedule?: (work: () => void) => void;
}

export interface SendOptions {
  readonly attachments?: Outgoing['attachments'];
  readonly whenBusy?: Outgoing['whenBusy'];
  readonly liveDictation?: boolean;
}

/** A chat being viewed. */
export interface OpenChat {
  readonly chatId: string;
  readonly state: Store<ChatState>;
  /** Annotations that plugins add to messages and calls; they change independently of the conversation. */
  readonly marks: Store<EntryMarks>;
  /**
   * Adds a message to the outbox, which shows it immediately as `sending`. Never rejects for network errors: the message is retried until the server responds.
   */
  send(text: string, options?: SendOptions): void;
  /** Sends a failed message again. */
  resend(clientId: string): void;
  drop(clientId: string): void;
  /** Aborts the running turn; queued messages move to {@link takenBack}. */
  abort(): Promise<void>;
  /** Texts of messages that the agent had not read when the turn was stopped, oldest first, to be restored to the input field. */
  readonly takenBack: Store<readonly string[]>;
  /** Returns and clears {@link takenBack}. */
  takeBack(): readonly string[];
  /** Adds a text to {@link takenBack}. */
  putBack(text: string): void;
  approve(
    approvalId: string,
    decision: {
      readonly decision: 'approve' | 'reject' | 'edit';
      readonly args?: object;
      readonly reason?: string;
      /** Id of the displayed preview, or `none` if no preview was displayed. */
      readonly rehearsal?: string;
      /** `true` means `chat`. */ readonly remember?: boolean | 'chat' | 'workspace';
      /** Kind of rule to remember, one of the approval's `kinds`. */
      readonly kind?: string;
    },
  ): Promise<void>;
  answer(askId: string, answer: string): Promise<void>;
  /**
   * Loads the previous page. Resolves immediately if there is none; joins a load that is already running.
   * @param limit number of entries; default 200, maximum 2,000
   */
  loadOlder(limit?: number): Promise<void>;
  /** Reloads the transcript. */
  reload(): Promise<void>;
  /** Adds a line that exists only in this client. @param view the same content, for clients that render views */
  note(text: string, view?: View): void;
}

export interface Client {
  readonly connection: Store<ConnectionState>;
  readonly chats: Store<ChatListState>;
  /** The newest errors of the server and its plugins, oldest first, including errors from before this client connected. */
  readonly faults: Store<readonly Fault[]>;
  /**
   * Calls a route, whose key determines the types: `client.call('POST /api/chats/:id/fork', { params: { id }, body: {} })`. Rejects with a {@link CallError}.
   */
  readonly call: ApiCall;
  /** Loads the bytes of an artifact or image; the token is sent in a header. */
  bytes(path: string): Promise<Blob>;
  /** Returns the same object for the lifetime of the client; the chat is loaded on first access. */
  open(chatId: string): OpenChat;
  /** Receives every event of all chats; for data that transcripts do not contain. */
  on(listener: (event: WireEvent) => void): () => void;
  refreshChats(): Promise<void>;
  /** Replaces the token and reconnects. */
  useToken(token: string): void;
  /** Starts the client: configuration, chats, event stream. Resolves after the first response or failure. */
  start(): Promise<void>;
  /** Closes the streams and timers. */
  close(): void;
}
