// Implements the desktop protocol: calls and events over one WebSocket, with reconnects. Content that the socket cannot carry is sent over HTTP.
import { backoffMs } from '#lib/async';
import { isRecord, jsonOf } from '#lib/values';
import { CallError, type ApiCall, type WireEvent } from './api.ts';
import { createRequests, type Requests } from './call-server.ts';
import type { CommandCall } from './command-call.ts';
import { createEventCursor } from './event-cursor.ts';
import type { ReconnectingSource, Waits } from './event-source.ts';
import { createReplies } from './socket-replies.ts';

/** The required part of a WebSocket; matches the WebSocket of browsers, of Node 22 and later, and of the package `ws`. */
export interface SocketLike {
  readonly readyState: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'open' | 'close' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (message: { readonly data: unknown }) => void): void;
}

export interface DesktopSocketOptions {
  /** Origin, such as `http://127.0.0.1:3001`, without a trailing slash. */
  readonly origin: string;
  readonly token: string | (() => string | undefined);
  /** Id of a chat, or `all`; default: the active chat. Commands without a chat use it. */
  readonly chatId?: string;
  /** Default: the WebSocket of the runtime. Node before 22 has none: pass `(url, protocols) => new WebSocket(url, protocols)` with `ws`. */
  readonly webSocket?: (url: string, protocols: string[]) => SocketLike;
  /** For HTTP requests. */
  readonly requests?: Requests;
  onEvents?(events: readonly WireEvent[]): void;
  /** `open`: no event is missed from now on; `resumed`: no event was missed before either; `lost`: reconnecting; `refused`: a new token is required. */
  onState?(state: 'open' | 'resumed' | 'lost' | 'refused'): void;
  /** Delays in milliseconds; shorter in tests only. */
  readonly waits?: Partial<Waits>;
}

export interface DesktopSocket extends ReconnectingSource {
  /** Calls a route by its key, with `params`, `query` and `body`, as over HTTP. Rejects with a {@link CallError}. */
  readonly call: ApiCall;
  /** Calls a command by its name, with all fields in one object: `command('send_message', { text })`. */
  readonly command: CommandCall;
  readonly isOpen: boolean;
}

const usualWaits: Waits = { first: 500, longest: 10_000, silence: 45_000 };
const opened = 1;
/** Maximum length of a frame in characters; longer ones use HTTP, which streams them. */
const longestFrame = 4 * 1024 * 1024;

export function openDesktopSocket(options: DesktopSocketOptions): DesktopSocket {
  const { origin, chatId, onEvents = () => undefined, onState = () => undefined } = options;
  const token = (): string | undefined => (typeof options.token === 'function' ? options.token() : options.token);
  const fetch: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init);
  const requests = options.requests ?? createRequests({ origin, fetch, token, onOutcome: () => undefined });
  const make = options.webSocket ?? ((url, protocols) => new WebSocket(url, protocols));
  const waits = { ...usualWaits, ...options.waits };
  const cursor = createEventCursor();
  const replies = createReplies();
  let socket: SocketLike | undefined;
  let tries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  function begin(): void {
    clearTimeout(timer);
    timer = undefined;
    let own: SocketLike;
    try {
      own = socket = make(...address());
    } catch {
      return lose(undefined, false); // the runtime has no WebSocket, or rejects the address
    }
    let wasOpen = false;
    own.addEventListener('open', () => {
      wasOpen = true;
      if (own !== socket) return own.close();
      listenOn(own);
      onState(cursor.lastId === undefined ? 'open' : 'resumed');
    });
    own.addEventListener('message', ({ data }) => {
      if (own !== socket) return;
      listenOn(own);
      if (typeof data === 'string') take(data);
    });
    own.addEventListener('error', () => undefined);
    own.addEventListener('close', () => own === socket && lose(own, wasOpen));
  }

  function address(): [url: string, protocols: string[]] {
    const current = token();
    // Sends the token as a WebSocket protocol, which keeps it out of the address. A token with characters that are invalid in a protocol must be part of
    // the address.
    const isName = current === undefined || /^[\w!#$%&'*+.^`|~-]+$/.test(current);
    const query = new URLSearchParams({
      ...(chatId === undefined ? {} : { chatId }),
      ...(cursor.lastId === undefined ? {} : { since: cursor.lastId }),
      ...(isName ? {} : { token: current }),
    }).toString();
    return [`${origin.replace(/^http/, 'ws')}/api/ws?${query}`, current !== undefined && isName ? ['harness.v1', `token.${current}`] : ['harness.v1']];
  }

  function listenOn(own: SocketLike): void {
    clearTimeout(silence);
    silence = setTimeout(() => {
      own.close();
      // A dead connection emits no close event.
      if (own === socket) lose(own, true);
    }, waits.silence);
  }

  function take(text: string): void {
    const frame = jsonOf(text);
    if (!isRecord(frame) || frame['v'] !== 1) return;
    // The server responds, so the next failure is a new one.
    tries = 0;
    if (!('event' in frame)) return replies.settle(frame);
    if (frame['event'] === 'alive') return;
    const event = frame['data'] as WireEvent;
    cursor.see(event, typeof frame['id'] === 'number' ? String(frame['id']) : undefined);
    onEvents([event]);
  }

  function lose(own: SocketLike | undefined, wasOpen: boolean): void {
    if (own !== socket) return;
    clearTimeout(silence);
    socket = undefined;
    replies.lose();
    if (isClosed) return;
    if (wasOpen) return tryAgain();
    // A WebSocket reports no reason for a refused handshake; an HTTP request does.
    requests.send('/api/status').then(
      ({ status }) => (status === 401 ? socket || isClosed || onState('refused') : tryAgain()),
      () => tryAgain(),
    );
  }

  function tryAgain(): void {
    if (isClosed || socket || timer !== undefined) return;
    onState('lost');
    timer = setTimeout(begin, backoffMs(tries++, waits));
  }

  /** Sends a command over the connection; `undefined` if HTTP must be used. */
  function ask(command: string, data: object, signal: AbortSignal | undefined, isSafe: boolean): Promise<unknown> | undefined {
    if (socket?.readyState !== opened) return undefined;
    const own = socket;
    const text = replies.frame(command, data);
    return text.length > longestFrame ? undefined : replies.wait(() => own.send(text), signal, isSafe);
  }

  async function callLoosely(key: string, input: { params?: object; query?: object; body?: unknown; signal?: AbortSignal } = {}): Promise<unknown> {
    const { signal, ...data } = input;
    const overHttp = (): Promise<unknown> => (requests.call as unknown as typeof callLoosely)(key, input);
    const reply = ask(key, data, signal, key.startsWith('GET '));
    if (!reply) return overHttp();
    return reply.catch((fault: unknown) => {
      if (fault instanceof CallError && (fault.code === 'only_in_http' || fault.code === 'ask_again')) return overHttp();
      throw fault;
    });
  }

  begin();
  return {
    call: callLoosely as ApiCall,
    command: (async (command: string, data: object = {}) => {
      const reply = ask(command, data, undefined, false);
      if (!reply) throw new CallError('The connection to the server is not open.', 'network', 0);
      return reply;
    }) as CommandCall,
    get isOpen() {
      return socket?.readyState === opened;
    },
    wake() {
      if (!isClosed && !socket && timer !== undefined) begin();
    },
    restart() {
      if (isClosed) return;
      const old = socket;
      socket = undefined;
      clearTimeout(silence);
      old?.close();
      replies.lose();
      cursor.forget();
      tries = 0;
      begin();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      clearTimeout(silence);
      socket?.close();
      replies.lose();
    },
  };
}
