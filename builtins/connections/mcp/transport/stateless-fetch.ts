// Adapts protocol revision 2026-07, which is stateless, to a client that expects a handshake. Each request identifies the client, no state is stored between
// requests, and a server sends its questions as the response.
import { EventSourceParserStream, type EventSourceMessage } from 'eventsource-parser/stream';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { isRecord } from '#lib/values';
import { discoverMs } from '../limits.ts';
import { headerText, paramHeadersOf, type ParamHeader } from './param-headers.ts';
import {
  answersTo,
  handshakeOf,
  inputRequestOf,
  isStateless,
  listsVersion,
  maxRounds,
  paramsOf,
  unsupportedVersion,
  version,
  withMetadata,
  type Message,
  type StatelessParts,
} from './stateless.ts';

export interface StatelessHttpParts extends StatelessParts {
  /** Returns the headers that a tool requires. */
  headersOf(tool: string): readonly ParamHeader[];
}

/** Error code of a request whose headers do not match the tool's requirements. */
export const headerMismatch = -32_020;
/** Error code of a missing client capability. */
const missingCapability = -32_021;
/** Error codes that only servers of this revision use. */
const ownFaults = [headerMismatch, missingCapability];

/** Thrown if the server requires a handshake. */
export class HandshakeWanted extends Error {
  override readonly name = 'HandshakeWanted';
}

/**
 * Replaces the handshake with a discovery request. Rejects with {@link HandshakeWanted} if the server does not support discovery.
 * @param endpoint address of the server; requests to other addresses, such as for signing in, are passed through
 * @param send resolves with responses; returns errors (401, 403) unchanged
 */
export function createStatelessFetch(endpoint: URL, send: FetchLike, parts: StatelessHttpParts): FetchLike {
  async function ask(url: string | URL, init: RequestInit, id: string, method: string, params: Message): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.delete('mcp-session-id');
    headers.set('mcp-protocol-version', version);
    headers.set('mcp-method', method);
    const name = method === 'resources/read' ? params['uri'] : ['tools/call', 'prompts/get'].includes(method) ? params['name'] : undefined;
    if (typeof name === 'string') headers.set('mcp-name', headerText(name));
    if (method === 'tools/call') for (const [header, value] of paramHeadersOf(parts.headersOf(String(name)), params['arguments'])) headers.set(header, value);
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: withMetadata(params, parts) });
    return send(url, { ...init, headers, body });
  }

  /** Yields the messages of one response; throws for an invalid response. */
  async function* messagesOf(reply: Response): AsyncGenerator<Message, void> {
    if (reply.headers.get('content-type')?.startsWith('text/event-stream') === true && reply.body) {
      const events = reply.body.pipeThrough(new TextDecoderStream() as never).pipeThrough(new EventSourceParserStream());
      for await (const { data } of events as unknown as AsyncIterable<EventSourceMessage>) if (data !== '') yield JSON.parse(data) as Message;
      return;
    }
    yield JSON.parse(await reply.text()) as Message;
  }

  /** Sends the discovery request. A server that predates this revision may send any response or none. */
  async function discover(url: string | URL, init: RequestInit, { id }: Message): Promise<Response> {
    const late = AbortSignal.timeout(discoverMs);
    const limited = { ...init, signal: init.signal ? AbortSignal.any([init.signal, late]) : late };
    try {
      for (let round = 0; round < 2; round++) {
        const reply = await ask(url, limited, `${id as string | number}-${round}`, 'server/discover', {});
        if (reply.status === 401 || (reply.status === 403 && reply.headers.has('www-authenticate'))) return reply;
        const { result, error } = await answerOf(reply);
        if (isStateless(result)) return Response.json({ jsonrpc: '2.0', id, result: handshakeOf(result) });
        if (isRecord(error) && ownFaults.includes(Number(error['code']))) return Response.json({ jsonrpc: '2.0', id, error });
        // Retries once if the server refuses a version that it claims to support.
        if (!isRecord(error) || error['code'] !== unsupportedVersion || !isRecord(error['data']) || !listsVersion(error['data']['supported'])) break;
      }
    } catch (fault) {
      if (!late.aborted || init.signal?.aborted === true) throw fault;
    }
    throw new HandshakeWanted('the server requires a handshake');
  }

  /** Parses a response; returns an empty object for a response that does not follow the protocol. */
  async function answerOf(reply: Response): Promise<Message> {
    try {
      for await (const message of messagesOf(reply)) if (isRecord(message) && message['id'] !== undefined) return message;
    } catch {
      // An interrupted response is treated in the same way.
    }
    return {};
  }

  async function* converse(url: string | URL, init: RequestInit, request: Message, first: Response): AsyncGenerator<Message, void> {
    const signal = init.signal ?? new AbortController().signal;
    let params: Message;
    let reply = first;
    for (let round = 1; round <= maxRounds; round++) {
      let again: Message | undefined;
      for await (const message of messagesOf(reply)) {
        const question = inputRequestOf(message);
        if (message['id'] === undefined) yield message;
        else if (question) again = await answersTo(question, parts, signal);
        else {
          yield { ...message, id: request['id'] };
          return;
        }
      }
      if (!again) throw new Error('the server ended its response early');
      params = { ...paramsOf(request), ...again };
      reply = await ask(url, init, `${request['id'] as string | number}-${round}`, String(request['method']), params);
    }
    throw new Error(`the server requested input more than ${maxRounds} times`);
  }

  return async (url, init = {}) => {
    if (new URL(url).href !== endpoint.href) return send(url, init);
    if (init.method !== 'POST' || typeof init.body !== 'string') return new Response(null, { status: 405 });
    const request = JSON.parse(init.body) as Message;
    if (request['method'] === 'initialize') return discover(url, init, request);
    // Drops notifications: a request is cancelled by closing its connection.
    if (request['id'] === undefined) return new Response(null, { status: 202 });
    const reply = await ask(url, init, `${request['id'] as string | number}-0`, String(request['method']), paramsOf(request));
    if (!reply.ok && ![400, 404].includes(reply.status)) return reply;
    const isMessage = reply.ok || reply.headers.get('content-type')?.startsWith('application/json') === true;
    if (!isMessage) return reply;
    return eventsOf(converse(url, init, request, reply));
  };
}

function eventsOf(messages: AsyncGenerator<Message, void>): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await messages.next();
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(`event: message\ndata: ${JSON.stringify(value)}\n\n`));
      } catch (fault) {
        controller.error(fault);
      }
    },
    cancel: () => void messages.return(undefined),
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}
