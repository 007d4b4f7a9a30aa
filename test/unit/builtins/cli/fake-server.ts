// A scripted server with the part of the HTTP API that the command line uses, on a free port.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Request {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: any;
}
type Reply = { readonly status?: number; readonly body: unknown };
type Handler = (request: Request) => Reply | Promise<Reply>;

export interface FakeServer {
  readonly token: string;
  /** All requests so far, as `METHOD /path {"body":…}`, without streams and status checks. */
  readonly calls: string[];
  /** The `last-event-id` header of each stream connection. */
  readonly connections: (string | undefined)[];
  url(): string;
  port(): number;
  on(key: string, handler: Handler): void;
  emit(event: Record<string, unknown>): void;
  cut(): void;
  listen(port?: number): Promise<{ host: string; port: number; url: string }>;
  close(): Promise<void>;
}

export const chatId = 'chat_01J0000000000000000000000A';

export function createFakeServer(token = 'a-token'): FakeServer {
  const handlers = new Map<string, Handler>([
    ['GET /api/status', () => ({ body: { busy: false, clients: readers.size, chats: [] } })],
    ['GET /api/chats', () => ({ body: { chats: [], activeChatId: null } })],
    ['POST /api/chats', ({ body }) => ({ status: 201, body: { chatId, title: '', workspaceRoot: body.workspaceRoot } })],
    [`GET /api/chats/${chatId}`, () => ({ body: { chatId, title: 'First', workspaceRoot: '/work' } })],
    ['GET /api/pending', () => ({ body: { approvals: [], questions: [] } })],
  ]);
  const log: { id: number; text: string }[] = [];
  const readers = new Set<ServerResponse>();
  const calls: string[] = [];
  const connections: (string | undefined)[] = [];
  let server: Server | undefined;
  let lastId = 0;

  function openStream(request: IncomingMessage, response: ServerResponse): void {
    const since = request.headers['last-event-id'];
    connections.push(since as string | undefined);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify({ kind: 'connected', cursor: lastId })}\n\n`);
    if (since !== undefined) for (const { id, text } of log) if (id > Number(since)) response.write(text);
    readers.add(response);
    response.on('close', () => readers.delete(response));
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const send = (status: number, body: unknown): void => void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.headers.authorization !== `Bearer ${token}`) return send(401, { error: { code: 'unauthorized', message: 'The token is missing or wrong.' } });
    if (pathname === '/api/stream') return openStream(request, response);
    const texts: Buffer[] = [];
    for await (const chunk of request) texts.push(chunk as Buffer);
    const text = Buffer.concat(texts).toString();
    if (pathname !== '/api/status') calls.push([request.method, pathname, text].filter(Boolean).join(' '));
    const handler = handlers.get(`${request.method} ${pathname}`);
    if (!handler) return send(404, { error: { code: 'not_found', message: `There is no ${pathname}.` } });
    const { status = 200, body } = await handler({ path: pathname, query: searchParams, body: text ? JSON.parse(text) : undefined });
    send(status, body);
  }

  const address = (): AddressInfo => {
    const found = server?.address();
    if (!found || typeof found === 'string') throw new Error('not listening');
    return found;
  };
  return {
    token,
    calls,
    connections,
    url: () => `http://127.0.0.1:${address().port}`,
    port: () => address().port,
    on: (key, handler) => void handlers.set(key, handler),
    emit(event) {
      const id = ++lastId;
      const text = `id: ${id}\ndata: ${JSON.stringify({ id, chatId, at: '2026-01-01T00:00:00.000Z', ...event })}\n\n`;
      log.push({ id, text });
      for (const reader of readers) reader.write(text);
    },
    cut: () => readers.forEach((reader) => reader.destroy()),
    async listen(port = 0) {
      server = createServer((request, response) => void answer(request, response));
      await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve));
      return { host: '127.0.0.1', port: address().port, url: `http://127.0.0.1:${address().port}` };
    },
    async close() {
      const closing = server;
      server = undefined;
      closing?.closeAllConnections();
      await new Promise<void>((resolve) => (closing ? closing.close(() => resolve()) : resolve()));
    },
  };
}

/** Answers each message with a turn that runs `script`. Turn ids count up from `turn_1`. */
export function answerMessages(
  server: FakeServer,
  script: (turn: { turnId: string; text: string; emit: (event: Record<string, unknown>) => void }) => void,
): void {
  let count = 0;
  server.on('POST /api/message', ({ body }) => {
    const turnId = `turn_${++count}`;
    const emit = (event: Record<string, unknown>): void => server.emit({ turnId, ...event });
    emit({ kind: 'message_accepted', messageId: `msg_${count}`, text: body.text, attachments: [], ...(body.clientId ? { clientId: body.clientId } : {}) });
    emit({ kind: 'turn_start', messageId: `msg_${count}`, model: 'fake' });
    script({ turnId, text: body.text, emit });
    return { status: 202, body: { turnId, messageId: `msg_${count}`, chatId, queued: false } };
  });
}

/** Answers each message with a turn that emits these events. */
export const answerWith = (server: FakeServer, ...events: readonly Record<string, unknown>[]): void =>
  answerMessages(server, ({ emit }) => events.forEach(emit));

export function say(text: string, offset = 0, messageId = 'msg_answer'): Record<string, unknown> {
  return { kind: 'text', messageId, offset, delta: text, channel: 'user' };
}

export function end(reason = 'done', more: Record<string, unknown> = {}): Record<string, unknown> {
  return { kind: 'turn_end', reason, durationMs: 1, rounds: 1, tools: 0, usage: { input: 1, output: 1, cached: 0 }, ...more };
}

/** Emits an event for each decision and answer, as the server does, and then ends the turn by default. */
export function takeDecisions(server: FakeServer, then = (): void => server.emit({ turnId: 'turn_1', ...end() })): void {
  server.on('POST /api/approve', ({ body }) => {
    server.emit({ kind: 'approval_decision', turnId: 'turn_1', callId: 'call_1', by: 'user', ...body });
    then();
    return { body: { ok: true } };
  });
  server.on('POST /api/answer', ({ body }) => {
    server.emit({ kind: 'ask_user_answered', turnId: 'turn_1', callId: 'call_1', ...body });
    then();
    return { body: { ok: true } };
  });
}

export function endTurnOnAbort(server: FakeServer): void {
  server.on('POST /api/session/abort', () => {
    server.emit({ turnId: 'turn_1', ...end('aborted') });
    return { body: { ok: true } };
  });
}
