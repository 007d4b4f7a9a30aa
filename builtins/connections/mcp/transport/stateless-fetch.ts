// Adapts the stateless revision 2026-07 for a client with a handshake: each request identifies the client, no state is kept between requests, and a server's
// questions arrive as its response.
import { EventSourceParserStream, type EventSourceMessage } from 'eventsource-parser/stream';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '#lib/values';
import { discoverMs } from '../limits.ts';
import { headerText, paramHeadersOf, type ParamHeader } from './param-headers.ts';

export interface StatelessParts {
  readonly client: { readonly name: string; readonly version: string };
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Returns the headers that a tool requires. */
  headersOf(tool: string): readonly ParamHeader[];
  /** Answers a server's question. Rejects for unknown questions. */
  answer(method: string, params: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown>;
}

type Message = Readonly<Record<string, unknown>>;

const version = '2026-07-28';
const unsupportedVersion = -32_022;
/** Error code of a request whose headers do not match the tool's requirements. */
export const headerMismatch = -32_020;
/** Error code of a missing client capability. */
const missingCapability = -32_021;
/** Error codes that only servers of this revision use. */
const ownFaults = [headerMismatch, missingCapability];
const mostRounds = 10;
const own = 'io.modelcontextprotocol/';

/** Thrown if the server requires a handshake. */
export class HandshakeWanted extends Error {
  override readonly name = 'HandshakeWanted';
}

/**
 * Replaces the handshake by a discovery request; rejects with {@link HandshakeWanted} if the server does not support it.
 *
 * @param endpoint address of the server; other requests, for signing in, pass through
 * @param send resolves with responses; returns errors (401, 403) unchanged
 */
export function createStatelessFetch(endpoint: URL, send: FetchLike, parts: StatelessParts): FetchLike {
  async function ask(url: string | URL, init: RequestInit, id: string, method: string, params: Message): Promise<Response> {
    const meta = {
      ...(isRecord(params['_meta']) ? params['_meta'] : {}),
      [`${own}protocolVersion`]: version,
      [`${own}clientInfo`]: parts.client,
      [`${own}clientCapabilities`]: parts.capabilities,
    };
    const headers = new Headers(init.headers);
    headers.delete('mcp-session-id');
    headers.set('mcp-protocol-version', version);
    headers.set('mcp-method', method);
    const name = method === 'resources/read' ? params['uri'] : ['tools/call', 'prompts/get'].includes(method) ? params['name'] : undefined;
    if (typeof name === 'string') headers.set('mcp-name', headerText(name));
    if (method === 'tools/call') for (const [header, value] of paramHeadersOf(parts.headersOf(String(name)), params['arguments'])) headers.set(header, value);
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } });
    return send(url, { ...init, headers, body });
  }

  /** Yields the messages of one response; throws an invalid response. */
  async function* messagesOf(reply: Response): AsyncGenerator<Message, void> {
    if (reply.headers.get('content-type')?.startsWith('text/event-stream') === true && reply.body) {
      const events = reply.body.pipeThrough(new TextDecoderStream() as never).pipeThrough(new EventSourceParserStream());
      for await (const { data } of events as unknown as AsyncIterable<EventSourceMessage>) if (data !== '') yield JSON.parse(data) as Message;
      return;
    }
    yield JSON.parse(await reply.text()) as Message;
  }

  /** Sends the discovery request. A server before this revision may send any response, or none. */
  async function discover(url: string | URL, init: RequestInit, { id }: Message): Promise<Response> {
    const late = AbortSignal.timeout(discoverMs);
    const limited = { ...init, signal: init.signal ? AbortSignal.any([init.signal, late]) : late };
    try {
      for (let round = 0; round < 2; round++) {
        const reply = await ask(url, limited, `${id as string | number}-${round}`, 'server/discover', {});
        if (reply.status === 401 || (reply.status === 403 && reply.headers.has('www-authenticate'))) return reply;
        const { result, error } = await answerOf(reply);
        if (isRecord(result) && listsVersion(result['supportedVersions'])) return Response.json({ jsonrpc: '2.0', id, result: handshakeOf(result) });
        if (isRecord(error) && ownFaults.includes(Number(error['code']))) return Response.json({ jsonrpc: '2.0', id, error });
        // Retries once if the server refuses a version that it claims to support.
        if (!isRecord(error) || error['code'] !== unsupportedVersion || !isRecord(error['data']) || !listsVersion(error['data']['supported'])) break;
      }
    } catch (fault) {
      if (!late.aborted || init.signal?.aborted === true) throw fault;
    }
    throw new HandshakeWanted('the server requires a handshake');
  }

  /** Parses a response; returns an empty object for one outside of the protocol. */
  async function answerOf(reply: Response): Promise<Message> {
    try {
      for await (const message of messagesOf(reply)) if (isRecord(message) && message['id'] !== undefined) return message;
    } catch {
      // Treats an interrupted response in the same way.
    }
    return {};
  }

  async function* converse(url: string | URL, init: RequestInit, request: Message, first: Response): AsyncGenerator<Message, void> {
    const signal = init.signal ?? new AbortController().signal;
    let params: Message;
    let reply = first;
    for (let round = 1; round <= mostRounds; round++) {
      let again: Message | undefined;
      for await (const message of messagesOf(reply)) {
        if (message['id'] === undefined) yield message;
        else if (isRecord(message['result']) && message['result']['resultType'] === 'input_required') again = await answersTo(message['result'], signal);
        else {
          yield { ...message, id: request['id'] };
          return;
        }
      }
      if (!again) throw new Error('the server ended its response early');
      params = { ...paramsOf(request), ...again };
      reply = await ask(url, init, `${request['id'] as string | number}-${round}`, String(request['method']), params);
    }
    throw new Error(`the server asked more than ${mostRounds} questions`);
  }

  async function answersTo({ inputRequests, requestState }: Record<string, unknown>, signal: AbortSignal): Promise<Message> {
    const inputResponses: Record<string, unknown> = {};
    for (const [key, wish] of Object.entries(isRecord(inputRequests) ? inputRequests : {})) {
      if (!isRecord(wish)) continue;
      inputResponses[key] = await parts.answer(String(wish['method']), isRecord(wish['params']) ? wish['params'] : {}, signal);
    }
    return { inputResponses, ...(requestState === undefined ? {} : { requestState }) };
  }

  return async (url, init = {}) => {
    if (new URL(url).href !== endpoint.href) return send(url, init);
    if (init.method !== 'POST' || typeof init.body !== 'string') return new Response(null, { status: 405 });
    const request = JSON.parse(init.body) as Message;
    if (request['method'] === 'initialize') return discover(url, init, request);
    // Drops notifications: closing the connection cancels a request.
    if (request['id'] === undefined) return new Response(null, { status: 202 });
    const reply = await ask(url, init, `${request['id'] as string | number}-0`, String(request['method']), paramsOf(request));
    if (!reply.ok && ![400, 404].includes(reply.status)) return reply;
    const isMessage = reply.ok || reply.headers.get('content-type')?.startsWith('application/json') === true;
    if (!isMessage) return reply;
    return eventsOf(converse(url, init, request, reply));
  };
}

function paramsOf(request: Message): Message {
  return isRecord(request['params']) ? request['params'] : {};
}

/** Converts the discovery into the response to a handshake. */
function handshakeOf(result: Message): Message {
  const meta = isRecord(result['_meta']) ? result['_meta'] : {};
  const serverInfo = meta[`${own}serverInfo`] ?? result['serverInfo'] ?? { name: 'server', version: '' };
  return { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities: result['capabilities'] ?? {}, serverInfo };
}

function listsVersion(given: unknown): boolean {
  return Array.isArray(given) && given.includes(version);
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
