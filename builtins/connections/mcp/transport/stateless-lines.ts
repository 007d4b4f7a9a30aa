// Adapts the stateless protocol revision on stdio to a client that expects a handshake. A server without support for the revision gets the handshake.
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '#lib/values';
import { discoverCommandMs } from '../limits.ts';
import type { CommandTransport } from './command-transport.ts';
import { answersTo, handshakeOf, inputRequestOf, isStateless, maxRounds, paramsOf, withMetadata, type Message, type StatelessParts } from './stateless.ts';

export interface StatelessLines extends CommandTransport {
  /** Returns whether the server exited before it answered the discovery or the handshake. */
  endedInDiscovery(): boolean;
}

/** A request from the client that the server has not answered. */
interface Pending {
  readonly request: Message;
  readonly round: number;
  readonly cancel: AbortController;
}

const discoveryId = 'discover';

/**
 * Sends `server/discover` instead of the handshake. Sends the handshake if the server answers with an error or too late, because the revision defines no error
 * code for older servers.
 */
export function createStatelessLines(inner: CommandTransport, parts: StatelessParts): StatelessLines {
  /** Pending requests by the id of the sent message. */
  const pending = new Map<string, Pending>();
  /** The client's handshake, until it is known whether the server supports the revision. */
  let handshake: Message | undefined;
  let mode: 'unknown' | 'stateless' | 'handshake' = 'unknown';
  let timer: NodeJS.Timeout | undefined;
  let isHandshakeSent = false;
  let hasEnded = false;

  const post = (message: Message): Promise<void> => inner.send(message as JSONRPCMessage);
  const deliver = (message: Message): void => transport.onmessage?.(message as JSONRPCMessage);

  async function sendHandshake(): Promise<void> {
    clearTimeout(timer);
    if (isHandshakeSent || !handshake) return;
    isHandshakeSent = true;
    await post(handshake).catch((fault: Error) => transport.onerror?.(fault));
  }

  function settle(next: 'stateless' | 'handshake', reply: Message): void {
    clearTimeout(timer);
    mode = next;
    deliver({ ...reply, id: handshake?.['id'] });
  }

  function receive(message: Message): void {
    const { id } = message;
    if (id === discoveryId) {
      if (mode !== 'unknown') return;
      if (isStateless(message['result'])) settle('stateless', { jsonrpc: '2.0', result: handshakeOf(message['result']) });
      else void sendHandshake();
    } else if (mode === 'unknown' && handshake && id === handshake['id'] && message['method'] === undefined) settle('handshake', message);
    else if (mode === 'handshake' || id === undefined || message['method'] !== undefined) deliver(message);
    else if (typeof id === 'string') void answered(id, message);
  }

  /** Delivers the response to a request, or repeats the request with the input that the server requests. */
  async function answered(sentId: string, message: Message): Promise<void> {
    const one = pending.get(sentId);
    if (!one) return;
    const { request, round, cancel } = one;
    const question = inputRequestOf(message);
    try {
      if (question && round >= maxRounds) throw new Error(`the server requested input more than ${maxRounds} times`);
      if (question) {
        const answers = await answersTo(question, parts, cancel.signal);
        pending.delete(sentId);
        if (!cancel.signal.aborted) await ask(request, round + 1, answers, cancel);
        return;
      }
      pending.delete(sentId);
      deliver({ ...message, id: request['id'] });
    } catch (fault) {
      pending.delete(sentId);
      deliver({ jsonrpc: '2.0', id: request['id'], error: { code: -32_603, message: (fault as Error).message } });
    }
  }

  function ask(request: Message, round: number, more: Message, cancel: AbortController): Promise<void> {
    const id = `${String(request['id'])}-${round}`;
    pending.set(id, { request, round, cancel });
    return post({ jsonrpc: '2.0', id, method: request['method'], params: withMetadata({ ...paramsOf(request), ...more }, parts) });
  }

  /** Cancels a request by the id that was sent to the server; other client notifications have no meaning without a handshake. */
  async function notify(message: Message): Promise<void> {
    const { requestId, ...rest } = paramsOf(message);
    const found = message['method'] === 'notifications/cancelled' && [...pending].find(([, { request }]) => request['id'] === requestId);
    if (!found) return;
    const [sentId, { cancel }] = found;
    pending.delete(sentId);
    cancel.abort();
    await post({ ...message, params: { ...rest, requestId: sentId } });
  }

  async function send(message: Message): Promise<void> {
    if (message['method'] === 'initialize') {
      handshake = message;
      timer = setTimeout(() => void sendHandshake(), discoverCommandMs);
      return post({ jsonrpc: '2.0', id: discoveryId, method: 'server/discover', params: withMetadata({}, parts) });
    }
    if (mode !== 'stateless') return post(message);
    if (message['method'] === undefined) return undefined;
    return message['id'] === undefined ? notify(message) : ask(message, 0, {}, new AbortController());
  }

  const transport: StatelessLines = {
    endedInDiscovery: () => hasEnded && mode === 'unknown',
    lastWords: () => inner.lastWords(),
    fail: (reason) => inner.fail(reason),
    start() {
      inner.onmessage = (message) => receive(isRecord(message) ? message : {});
      inner.onerror = (fault) => transport.onerror?.(fault);
      inner.onclose = () => {
        clearTimeout(timer);
        hasEnded = true;
        for (const { cancel } of pending.values()) cancel.abort();
        transport.onclose?.();
      };
      return inner.start();
    },
    send,
    close() {
      clearTimeout(timer);
      return inner.close();
    },
  };
  return transport;
}
