// Implements JSON-RPC 2.0 in both directions, one message per line. Handles the cancellation of requests; other methods are left to the caller.
import { isRecord, jsonOf } from '#lib/values';
import { errorBodyOf, WireError, wireCodes, type ErrorBody } from './wire-error.ts';

export interface RequestContext {
  readonly id: RequestId;
  /** Aborted when the other side cancels the request or disconnects. */
  readonly signal: AbortSignal;
  /** Runs work after the reply is sent. */
  after(work: () => void): void;
}

export type RequestId = string | number | null;

export interface PeerOptions {
  /** Writes complete lines, possibly several at once. */
  write(text: string): void;
  onRequest(method: string, params: unknown, context: RequestContext): Promise<object>;
  onNotification(method: string, params: unknown): void;
}

export interface Peer {
  take(line: string): void;
  /** Rejects with a {@link WireError}; aborting the signal cancels the request. */
  request(method: string, params: object, signal: AbortSignal): Promise<unknown>;
  notify(method: string, params: object): void;
  /** Handles a disconnection: incoming requests are aborted, outgoing requests reject. */
  close(): void;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(fault: WireError): void;
}

/** Maximum length of a message, in characters. */
const longestLine = 64 * 1024 * 1024;
const takeBack = '$/cancel_request';

export function createPeer(options: PeerOptions): Peer {
  const open = new Map<RequestId, AbortController>();
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let isClosed = false;
  let held = '';

  /** Sends a message. Messages sent in the same event-loop turn share one write. */
  function send(message: object): void {
    if (isClosed) return;
    if (held === '') queueMicrotask(flush);
    held += `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
  }

  function flush(): void {
    const text = held;
    held = '';
    if (text !== '') options.write(text);
  }

  async function answer(id: RequestId, method: string, params: unknown): Promise<void> {
    const controller = new AbortController();
    const later: (() => void)[] = [];
    open.set(id, controller);
    try {
      const result = await options.onRequest(method, params, { id, signal: controller.signal, after: (work) => void later.push(work) });
      send({ id, result });
    } catch (fault) {
      send({ id, error: errorBodyOf(fault) });
    } finally {
      if (open.get(id) === controller) open.delete(id);
    }
    if (!isClosed) for (const work of later) work();
  }

  function settle(id: unknown, message: Readonly<Record<string, unknown>>): void {
    const one = waiting.get(id as number);
    waiting.delete(id as number);
    if (!isRecord(message['error'])) return one?.resolve(message['result']);
    const { code, message: text, data } = message['error'] as Partial<ErrorBody>;
    one?.reject(new WireError(typeof code === 'number' ? code : wireCodes.internal, typeof text === 'string' ? text : 'The other side refused.', data));
  }

  function refuse(code: number, message: string): void {
    send({ id: null, error: { code, message } });
  }

  return {
    take(line) {
      if (line.trim() === '') return;
      const message = line.length > longestLine ? undefined : jsonOf(line);
      if (message === undefined) return refuse(wireCodes.parse, 'This line is not valid JSON.');
      if (!isRecord(message) || message['jsonrpc'] !== '2.0') return refuse(wireCodes.invalidRequest, 'This is not a JSON-RPC 2.0 message.');
      const { id, method, params } = message;
      if (typeof method === 'string') {
        if (isId(id)) return void answer(id, method, params);
        if (method === takeBack) return open.get(isRecord(params) ? (params['requestId'] as RequestId) : null)?.abort();
        return options.onNotification(method, params);
      }
      if (id === undefined || !('result' in message || 'error' in message)) return refuse(wireCodes.invalidRequest, 'This is neither a request nor a reply.');
      settle(id, message);
    },
    request(method, params, signal) {
      const id = ++lastId;
      return new Promise<unknown>((resolve, reject) => {
        const giveUp = (): void => {
          waiting.delete(id);
          send({ method: takeBack, params: { requestId: id } });
          reject(new WireError(wireCodes.cancelled, 'The request was cancelled.'));
        };
        if (signal.aborted || isClosed) return reject(new WireError(wireCodes.cancelled, 'The request was cancelled.'));
        signal.addEventListener('abort', giveUp, { once: true });
        const done = (): void => signal.removeEventListener('abort', giveUp);
        waiting.set(id, { resolve: (result) => (done(), resolve(result)), reject: (fault) => (done(), reject(fault)) });
        send({ id, method, params });
      });
    },
    notify: (method, params) => send({ method, params }),
    close() {
      if (isClosed) return;
      flush();
      isClosed = true;
      for (const controller of open.values()) controller.abort();
      for (const { reject } of waiting.values()) reject(new WireError(wireCodes.cancelled, 'The other side disconnected.'));
      waiting.clear();
    },
  };
}

function isId(id: unknown): id is RequestId {
  return id === null || typeof id === 'string' || typeof id === 'number';
}
