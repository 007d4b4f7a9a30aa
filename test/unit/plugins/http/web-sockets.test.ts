// Tests WebSockets of plugins: access, messages, and the end of a connection.
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Principal, WebSocketConnection, WebSocketRoute } from 'agent-harness/plugins/http';
import { openHttp, routes, type OpenHttp } from './open-http.ts';

let http: OpenHttp | undefined;

const guest: Principal = { kind: 'guest', id: 'g', role: 'viewer', areas: ['things'] };
const identify = (token: string): Principal | undefined => (token === 'guest' ? guest : undefined);

interface Opened {
  readonly ended: AbortSignal[];
  dispose(): void;
  connect(path?: string, options?: { protocols?: string[]; token?: string; headers?: Record<string, string> }): WebSocket;
}

async function open(): Promise<Opened> {
  const ended: AbortSignal[] = [];
  let dispose = (): void => undefined;
  const echo: WebSocketRoute = {
    path: '/api/echo',
    permission: 'things.read',
    maxMessageBytes: 1000,
    open(connection, { principal, query }) {
      ended.push(connection.signal);
      connection.send(JSON.stringify({ id: principal.id, query }));
      connection.onMessage(async (content) => {
        if (content === 'fail') throw new Error('out of order');
        connection.send(content);
      });
    },
  };
  const own: WebSocketRoute = { path: '/api/own', open: (connection: WebSocketConnection) => connection.close(4001, 'enough') };
  const sockets = {
    register(registry: any) {
      registry.add('token_source', { name: 'guests', identify, isSetUp: () => false });
      registry.add('web_socket', own);
      const added = registry.add('web_socket', echo);
      dispose = () => added.dispose();
    },
  };
  const opened = (http = await openHttp({ sockets, some: routes({ key: 'POST /api/thing', schema: {}, handle: () => ({ ok: true }) }) }));
  return {
    ended,
    dispose: () => dispose(),
    connect(path = '/api/echo', { protocols = [], token = opened.token, headers = {} } = {}) {
      const auth = token === '' ? {} : { authorization: `Bearer ${token}` };
      return new WebSocket(`${opened.url.replace('http', 'ws')}${path}`, protocols, { headers: { ...auth, ...headers } });
    },
  };
}

const next = async (socket: WebSocket): Promise<string> => String((await once(socket, 'message'))[0]);

async function refused(socket: WebSocket): Promise<{ status: number; code: string }> {
  const response = await new Promise<any>((resolve) => socket.once('unexpected-response', (_, answer) => resolve(answer)));
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  socket.on('error', () => undefined).terminate();
  return { status: response.statusCode, code: JSON.parse(Buffer.concat(chunks).toString()).error.code };
}

test('text and bytes pass in both directions, and the plugin receives the principal', async () => {
  const { connect } = await open();
  const socket = connect('/api/echo?a=1');
  expect(JSON.parse(await next(socket))).toEqual({ id: 'owner', query: { a: '1' } });
  socket.send('hello');
  expect(await next(socket)).toBe('hello');
  const answer = once(socket, 'message');
  socket.send(Buffer.from([0, 255]));
  expect(await answer).toEqual([Buffer.from([0, 255]), true]);
});

test('accepts the token as a header, query parameter or protocol, and does not pass it on', async () => {
  const { connect } = await open();
  for (const socket of [
    connect('/api/echo', { token: 'guest' }),
    connect('/api/echo?authToken=guest', { token: '' }),
    connect('/api/echo', { token: '', protocols: ['token.guest'] }),
  ])
    expect(JSON.parse(await next(socket))).toEqual({ id: 'g', query: {} });
  const named = connect('/api/echo', { token: '', protocols: ['token.guest', 'things'] });
  await once(named, 'open');
  expect(named.protocol).toBe('things');
});

test('rejects missing token, permission, Host or Origin like a route', async () => {
  const { connect } = await open();
  expect(await refused(connect('/api/echo', { token: '' }))).toEqual({ status: 401, code: 'unauthorized' });
  expect(await refused(connect('/api/own', { token: 'guest' }))).toEqual({ status: 403, code: 'forbidden' });
  expect(await refused(connect('/api/echo', { headers: { host: 'evil.example' } }))).toEqual({ status: 403, code: 'host_not_allowed' });
  expect(await refused(connect('/api/echo', { headers: { origin: 'https://evil.example' } }))).toEqual({ status: 403, code: 'origin_not_allowed' });
  expect(await refused(connect('/api/other'))).toEqual({ status: 404, code: 'not_found' });
});

test('an upgrade to another protocol is answered over HTTP with its body, and the connection is closed', async () => {
  await open();
  const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' };
  const answer = await http?.ask('/api/thing', { method: 'POST', body: {}, headers });
  expect([answer?.status, answer?.body, answer?.headers['connection']]).toEqual([200, { ok: true }, 'close']);
});

test('a plugin closes with its own code, and a thrown error closes with 1011 and is logged', async () => {
  const { connect, ended } = await open();
  expect(await once(connect('/api/own'), 'close')).toEqual([4001, Buffer.from('enough')]);
  const socket = connect();
  await next(socket);
  socket.send('fail');
  expect((await once(socket, 'close'))[0]).toBe(1011);
  expect(http?.logs.join()).toContain('WebSocket /api/echo failed: Error: out of order');
  await expect.poll(() => ended[0]?.aborted).toBe(true);
});

test('a message over the limit closes the connection', async () => {
  const { connect } = await open();
  const socket = connect();
  await next(socket);
  socket.send('x'.repeat(1001));
  expect((await once(socket, 'close'))[0]).toBe(1009);
});

test.each([
  ['tokens are revoked', 1008, (_: Opened) => http?.kernel.resolve('http').endStreams()],
  ['its plugin is removed', 1001, (opened: Opened) => opened.dispose()],
  ['the server closes', 1001, (_: Opened) => void http?.kernel.resolve('http').close()],
])('a connection ends when %s', async (_, code, end) => {
  const opened = await open();
  const socket = opened.connect();
  await next(socket);
  const closed = once(socket, 'close');
  end(opened);
  expect((await closed)[0]).toBe(code);
  await expect.poll(() => opened.ended[0]?.aborted).toBe(true);
});

test('an unresponsive client does not block the server close', async () => {
  const { connect, ended } = await open();
  const socket = connect();
  await next(socket);
  socket.pause();
  await expect(http?.kernel.resolve('http').close()).resolves.toBeUndefined();
  expect(ended[0]?.aborted).toBe(true);
  socket.terminate();
});
