// The revision of 2026-07 for a client that shakes hands: each request says who asks, nothing is kept between two, and what a server wants to know comes as its answer.
import { EventSourceParserStream, type EventSourceMessage } from 'eventsource-parser/stream';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { LATEST_PROTOCOL_VERSION, McpError } from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from './clean-schema.ts';

export interface StatelessParts {
  readonly client: { readonly name: string; readonly version: string };
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Answers what the server wants to know before it goes on. Rejects for what nobody answers. */
  answer(method: string, params: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown>;
}

type Message = Readonly<Record<string, unknown>>;

const version = '2026-07-28';
const unsupportedVersion = -32_022;
/** A header is missing, the version is unknown, there is no such method, something is missing in what every request says. */
const refusals = [-32_020, unsupportedVersion, -32_601, -32_602];
const mostRounds = 10;
const own = 'io.modelcontextprotocol/';

/** Whether a server that refused a handshake says that it speaks without one. */
export function wantsNoHandshake(fault: unknown): boolean {
  const { cause } = fault as Error;
  // It shook hands, and means what this client cannot mean by that.
  if (cause instanceof Error && cause.message.endsWith(`not supported: ${version}`)) return true;
  if (cause instanceof McpError) return refusals.includes(cause.code);
  return cause instanceof StreamableHTTPError && refusals.some((code) => new RegExp(`"code":\\s*${code}\\b`).test(cause.message));
}

/** @param endpoint of the server; what goes elsewhere, to sign in, passes. @param send answers; refusals (401, 403) come back as they are */
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
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } });
    return send(url, { ...init, headers, body });
  }

  /** Messages of one answer; what is no answer at all is thrown. */
  async function* messagesOf(reply: Response): AsyncGenerator<Message, void> {
    if (reply.headers.get('content-type')?.startsWith('text/event-stream') === true && reply.body) {
      const events = reply.body.pipeThrough(new TextDecoderStream() as never).pipeThrough(new EventSourceParserStream());
      for await (const { data } of events as unknown as AsyncIterable<EventSourceMessage>) if (data !== '') yield JSON.parse(data) as Message;
      return;
    }
    yield JSON.parse(await reply.text()) as Message;
  }

  async function* converse(url: string | URL, init: RequestInit, request: Message, first: Response): AsyncGenerator<Message, void> {
    const signal = init.signal ?? new AbortController().signal;
    const method = request['method'] === 'initialize' ? 'server/discover' : String(request['method']);
    let params = paramsOf(request);
    let reply = first;
    for (let round = 1; round <= mostRounds; round++) {
      let again: Message | undefined;
      for await (const message of messagesOf(reply)) {
        if (message['id'] === undefined) yield message;
        else if (isVersionRefusal(message) && round === 1) again = {};
        else if (isRecord(message['result']) && message['result']['resultType'] === 'input_required') again = await answersTo(message['result'], signal);
        else {
          yield { ...finished(request, message), id: request['id'] };
          return;
        }
      }
      if (!again) throw new Error('the server ended its answer early');
      params = { ...paramsOf(request), ...again };
      reply = await ask(url, init, `${request['id'] as string | number}-${round}`, method, params);
    }
    throw new Error(`the server wants to know something more than ${mostRounds} times`);
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
    // There is nobody to tell: the end of a request is the end of its connection.
    if (request['id'] === undefined) return new Response(null, { status: 202 });
    const method = request['method'] === 'initialize' ? 'server/discover' : String(request['method']);
    const reply = await ask(url, init, `${request['id'] as string | number}-0`, method, paramsOf(request));
    if (!reply.ok && ![400, 404].includes(reply.status)) return reply;
    const isMessage = reply.ok || reply.headers.get('content-type')?.startsWith('application/json') === true;
    if (!isMessage) return reply;
    return eventsOf(converse(url, init, request, reply));
  };
}

/** Of a handshake nothing is sent on. */
function paramsOf(request: Message): Message {
  return request['method'] !== 'initialize' && isRecord(request['params']) ? request['params'] : {};
}

/** What the discovery says, as the answer to a handshake. */
function finished(request: Message, message: Message): Message {
  const { result } = message;
  if (request['method'] !== 'initialize' || !isRecord(result)) return message;
  const meta = isRecord(result['_meta']) ? result['_meta'] : {};
  const serverInfo = meta[`${own}serverInfo`] ?? result['serverInfo'] ?? { name: 'server', version: '' };
  return { ...message, result: { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities: result['capabilities'] ?? {}, serverInfo } };
}

function isVersionRefusal({ error }: Message): boolean {
  if (!isRecord(error) || error['code'] !== unsupportedVersion || !isRecord(error['data'])) return false;
  const supported: unknown = error['data']['supported'];
  return Array.isArray(supported) && supported.includes(version);
}

/** What a header cannot carry is wrapped. */
function headerText(text: string): string {
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?') ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
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
