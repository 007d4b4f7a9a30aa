// Defines the contract of the client for user interfaces: calls, streams, outbox. Needs no DOM.
import type { View } from 'agent-harness/view';
import type { ApiCall, Fault, WireEvent } from './api.ts';
import type { Requests } from './call-server.ts';
import type { EventSourceOptions, ReconnectingSource, StreamReply } from './event-source.ts';
import type { ChatListState, ChatState, ConnectionState, EntryMarks, Outgoing } from './state.ts';

/** An observable value. Compatible with React's `useSyncExternalStore`. */
export interface Store<T> {
  get(): T;
  /** Returns the unsubscribe function. Several changes within a moment are reported once. */
  subscribe(listener: () => void): () => void;
}

/** Storage of the outbox across reloads, and of the token across restarts. Compatible with `localStorage`. */
export interface KeptTexts {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** A transport for calls and events other than HTTP. Opens immediately. */
export type ClientTransport = (
  parts: Pick<EventSourceOptions, 'onEvents' | 'onState' | 'waits'> & {
    readonly origin: string;
    readonly token: () => string | undefined;
    readonly requests: Requests;
  },
) => ReconnectingSource & { readonly call: ApiCall };

export interface ClientOptions {
  /** `http://127.0.0.1:3001`; no trailing slash. Read at each request if it may change: a restarted server has another port. */
  readonly origin: string | (() => string);
  /** Left out if the user must enter it. */
  readonly token?: string;
  readonly kept?: KeptTexts;
  readonly fetch?: typeof globalThis.fetch;
  readonly transport?: ClientTransport;
  /** Opens the event stream by another means than `fetch`, which delivers each small piece separately. Rejects like it. */
  readonly openStream?: (url: string, headers: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<StreamReply>;
  /** Calls back once before the next rendering; `setTimeout(…, 16)` when left out. */
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
  /** Plugin annotations of its messages and calls; change independently of the conversation. */
  readonly marks: Store<EntryMarks>;
  /** Adds a message to the outbox; shown immediately as `sending`. Never rejects for the network: it is retried until the server responds. */
  send(text: string, options?: SendOptions): void;
  /** Sends a failed message again. */
  resend(clientId: string): void;
  drop(clientId: string): void;
  /** Ends the running turn; queued messages become {@link takenBack}. */
  abort(): Promise<void>;
  /** Texts of messages that were stopped before the agent read them, oldest first, to be restored to the input field. */
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
      /** Id of the displayed preview, or `none`. */
      readonly rehearsal?: string;
      /** `true` means `chat`. */ readonly remember?: boolean | 'chat' | 'workspace';
      /** Kind for the remembered rule, one of the approval's `kinds`. */
      readonly kind?: string;
    },
  ): Promise<void>;
  answer(askId: string, answer: string): Promise<void>;
  /**
   * Loads the previous page; resolves immediately if there is none, and with the page being loaded if one is.
   * @param limit entries; 200 when left out, 2,000 at most
   */
  loadOlder(limit?: number): Promise<void>;
  /** Reloads the transcript. */
  reload(): Promise<void>;
  /** Adds a local line. @param view the same content, for clients that render views */
  note(text: string, view?: View): void;
}

export interface Client {
  readonly connection: Store<ConnectionState>;
  readonly chats: Store<ChatListState>;
  /** The newest faults of the server and its plugins, oldest first; including those before this client connected. */
  readonly faults: Store<readonly Fault[]>;
  /** Calls a route, typed by its key: `client.call('POST /api/chats/:id/fork', { params: { id }, body: {} })`. Rejects with a {@link CallError}. */
  readonly call: ApiCall;
  /** Loads the bytes of an artifact or picture, with the token in a header. */
  bytes(path: string): Promise<Blob>;
  /** Returns the same object for the lifetime of the client; loaded on first access. */
  open(chatId: string): OpenChat;
  /** Receives every event of all chats; for data outside of transcripts. */
  on(listener: (event: WireEvent) => void): () => void;
  refreshChats(): Promise<void>;
  /** Replaces the token, and connects. */
  useToken(token: string): void;
  /** Starts: configuration, chats, stream. Resolves after the first reply or failure. */
  start(): Promise<void>;
  /** Ends streams and timers. */
  close(): void;
}
