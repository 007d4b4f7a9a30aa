// The client that every user interface works with: calls, streams, outbox. It needs no DOM.
import type { View } from 'agent-harness/view';
import type { ApiCall, Fault, WireEvent } from './api.ts';
import type { Requests } from './call-server.ts';
import type { EventSourceOptions, ReconnectingSource, StreamReply } from './event-source.ts';
import type { ChatListState, ChatState, ConnectionState, EntryMarks, Outgoing } from './state.ts';

/** A value that changes. Fits React's `useSyncExternalStore`. */
export interface Store<T> {
  get(): T;
  /** Answers how to leave. Several changes of one moment are told once. */
  subscribe(listener: () => void): () => void;
}

/** Where the outbox survives a reload, and the token a restart of the page. `localStorage` fits. */
export interface KeptTexts {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Another way for calls and events than requests and the event stream. It opens at once. */
export type ClientTransport = (
  parts: Pick<EventSourceOptions, 'onEvents' | 'onState' | 'waits'> & {
    readonly origin: string;
    readonly token: () => string | undefined;
    readonly requests: Requests;
  },
) => ReconnectingSource & { readonly call: ApiCall };

export interface ClientOptions {
  /** `http://127.0.0.1:3001`; no slash at the end. Read at each request where it may change: a server that was started again has another port. */
  readonly origin: string | (() => string);
  /** Left out where a person has yet to type one in. */
  readonly token?: string;
  readonly kept?: KeptTexts;
  readonly fetch?: typeof globalThis.fetch;
  readonly transport?: ClientTransport;
  /** Asks for the event stream in another way than by `fetch`, which hands over each small piece by itself. Rejects like it. */
  readonly openStream?: (url: string, headers: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<StreamReply>;
  /** Calls back once before the next drawing; `setTimeout(…, 16)` when left out. */
  readonly schedule?: (work: () => void) => void;
}

export interface SendOptions {
  readonly attachments?: Outgoing['attachments'];
  readonly whenBusy?: Outgoing['whenBusy'];
  readonly liveDictation?: boolean;
}

/** One chat that somebody looks at. */
export interface OpenChat {
  readonly chatId: string;
  readonly state: Store<ChatState>;
  /** What plugins say of its messages and calls; changes apart from the conversation. */
  readonly marks: Store<EntryMarks>;
  /** Puts a message into the outbox; it shows at once as `sending`. Never rejects for the network: it is tried again until the server answers. */
  send(text: string, options?: SendOptions): void;
  /** Of a message that failed. */
  resend(clientId: string): void;
  drop(clientId: string): void;
  /** Ends the running turn; what waits behind it is {@link takenBack}. */
  abort(): Promise<void>;
  /** Texts of messages that were stopped here before the agent heard them, oldest first: they belong back into the field they came from. */
  readonly takenBack: Store<readonly string[]>;
  /** Answers them, and none from then on. */
  takeBack(): readonly string[];
  /** Adds to {@link takenBack}: a text that somebody may want to send, and writes on first. */
  putBack(text: string): void;
  approve(
    approvalId: string,
    decision: {
      readonly decision: 'approve' | 'reject' | 'edit';
      readonly args?: object;
      readonly reason?: string;
      /** What was seen of its rehearsal: the id, or `none`. */
      readonly rehearsal?: string;
      /** `true` means `chat`. */ readonly remember?: boolean | 'chat' | 'workspace';
      /** Of `remember`: the rule is about this kind, one of the approval's `kinds`. */
      readonly kind?: string;
    },
  ): Promise<void>;
  answer(askId: string, answer: string): Promise<void>;
  /**
   * The page before; resolves at once where there is none, and with the page that is being read where one is.
   * @param limit entries; 200 when left out, 2,000 at most
   */
  loadOlder(limit?: number): Promise<void>;
  /** Reads the transcript again. */
  reload(): Promise<void>;
  /** A line that only this client shows. @param view the same, for clients that show it instead */
  note(text: string, view?: View): void;
}

export interface Client {
  readonly connection: Store<ConnectionState>;
  readonly chats: Store<ChatListState>;
  /** The newest faults of the server and its plugins, oldest first; those of before this client came, too. */
  readonly faults: Store<readonly Fault[]>;
  /** Typed by route: `client.call('POST /api/chats/:id/fork', { params: { id }, body: {} })`. Rejects with a {@link CallError}. */
  readonly call: ApiCall;
  /** Bytes of an artifact or picture, with the token in a header. */
  bytes(path: string): Promise<Blob>;
  /** The same object each time, for as long as the client lives; it is read when first asked for. */
  open(chatId: string): OpenChat;
  /** Every event as it comes, of all chats; for what is not part of a transcript. */
  on(listener: (event: WireEvent) => void): () => void;
  refreshChats(): Promise<void>;
  /** Takes another token, and connects. */
  useToken(token: string): void;
  /** Begins: configuration, chats, stream. Resolves when the first answer came or failed. */
  start(): Promise<void>;
  /** Ends streams and timers. */
  close(): void;
}
