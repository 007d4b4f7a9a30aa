// The desktop protocol: calls and events over one WebSocket. It comes back by itself where it left off; what it cannot carry goes over HTTP.
import { backoffMs } from 'agent-harness/lib/async';
import { isRecord, jsonOf } from 'agent-harness/lib/values';
import { CallError, type ApiCall, type WireEvent } from './api.ts';
import { createRequests, type Requests } from './call-server.ts';
import type { CommandCall } from './command-call.ts';
import { createEventCursor } from './event-cursor.ts';
import type { ReconnectingSource, Waits } from './event-source.ts';
import { createReplies } from './socket-replies.ts';

/** What this module needs of a WebSocket: the one of browsers and of Node from 22 on fits, and so does that of the package `ws`. */
export interface SocketLike {
  readonly readyState: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'open' | 'close' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (message: { readonly data: unknown }) => void): void;
}

export interface DesktopSocketOptions {
  /** `http://127.0.0.1:3001`; no slash at the end. */
  readonly origin: string;
  readonly token: string | (() => string | undefined);
  /** A chat, or `all`; left out: whichever chat is the active one. Commands that name no chat mean it. */
  readonly chatId?: string;
  /** The runtime's own when left out; Node before 22 has none: `(url, protocols) => new WebSocket(url, protocols)` with the one of `ws`. */
  readonly webSocket?: (url: string, protocols: string[]) => SocketLike;
  /** For what goes over HTTP. */
  readonly requests?: Requests;
  onEvents?(events: readonly WireEvent[]): void;
  /** `open`: from now on nothing is missed, `resumed`: nor was anything before; `lost`: it is tried again; `refused`: only a token helps. */
  onState?(state: 'open' | 'resumed' | 'lost' | 'refused'): void;
  /** Milliseconds; only tests wait for less. */
  readonly waits?: Partial<Waits>;
}

export interface DesktopSocket extends ReconnectingSource {
  /** By the key of a route, with `params`, `query` and `body`, as over HTTP. Rejects with a {@link CallError}. */
  readonly call: ApiCall;
  /** By the name of a command, with all fields together: `command('send_message', { text })`. */
  readonly command: CommandCall;
  readonly isOpen: boolean;
}

const usualWaits: Waits = { first: 500, longest: 10_000, silence: 45_000 };
const opened = 1;
/** Longer ones go over HTTP, which takes them piece by piece. Characters. */
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
      return lose(undefined, false); // the runtime has no WebSocket, or dislikes the address
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
    // As a protocol it stays out of addresses; one with other signs than a protocol may have can only stand in the address.
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
      // A dead line does not say that it closes.
      if (own === socket) lose(own, true);
    }, waits.silence);
  }

  function take(text: string): void {
    const frame = jsonOf(text);
    if (!isRecord(frame) || frame['v'] !== 1) return;
    // The server lives, so the next fault is a new one.
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
    // A handshake that is refused does not say why.
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

  /** What the connection cannot take now goes over HTTP; `undefined` says so. */
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
