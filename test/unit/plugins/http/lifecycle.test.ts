import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { Server as HttpServer } from 'node:http';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { PluginModule } from 'agent-harness/kernel';
import { expect, test } from 'vitest';
import { openHttp, routes } from './open-http.ts';

test('listening starts the app first, and closing stops it', async () => {
  const seen: string[] = [];
  const watcher: PluginModule<any> = {
    register(_, emitter) {
      emitter.tap('app.start', () => void seen.push('start'));
      emitter.tap('app.stop', () => void seen.push('stop'));
    },
  };
  const { kernel } = await openHttp({ watcher }, { listen: false });
  expect(seen).toEqual([]);
  expect(kernel.resolve('http').address()).toBeUndefined();
  const address = await kernel.resolve('http').listen({ port: 0 });
  expect(kernel.resolve('http').address()).toEqual(address);
  expect(address).toMatchObject({ host: '127.0.0.1', url: `http://127.0.0.1:${address.port}` });
  expect(seen).toEqual(['start']);
  await kernel.resolve('http').close();
  expect(seen).toEqual(['start', 'stop']);
  expect(kernel.resolve('http').address()).toBeUndefined();
});

test('server.json contains the process and address of the server and is removed on close', async () => {
  const { home, kernel, port } = await openHttp();
  const path = join(home, 'server.json');
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ pid: process.pid, port, host: '127.0.0.1', startedAt: expect.stringMatching(/^\d{4}-.*Z$/) });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const http = kernel.resolve('http');
  expect(await http.running()).toEqual({ pid: process.pid, url: `http://127.0.0.1:${port}` });
  await http.close();
  expect(existsSync(path)).toBe(false);
  expect(await http.running()).toBeUndefined();
});

test('a port in use fails with advice, and the app is stopped again', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as AddressInfo;
  const seen: string[] = [];
  const watcher: PluginModule<any> = { register: (_, emitter) => void emitter.tap('app.stop', () => void seen.push('stop')) };
  const { kernel, home } = await openHttp({ watcher }, { listen: false, environment: { PORT: String(port) } });
  await expect(kernel.resolve('http').listen()).rejects.toMatchObject({
    code: 'HTTP_ERR_PORT_IN_USE',
    message: expect.stringMatching(/PORT/),
    details: { port },
  });
  expect(seen).toEqual(['stop']);
  expect(existsSync(join(home, 'server.json'))).toBe(false);
  other.close();
});

test('an address of another machine fails with HTTP_ERR_LISTEN_FAILED', async () => {
  const { kernel } = await openHttp({}, { listen: false, environment: { AGENT_WEB_TOKEN: 'a long enough one' } });
  await expect(kernel.resolve('http').listen({ host: '203.0.113.7' })).rejects.toMatchObject({ code: 'HTTP_ERR_LISTEN_FAILED' });
});

test.each(['0.0.0.0', '::', '192.168.0.7', 'box.lan'])('binding to %s is rejected without a token from the environment', async (host) => {
  const { kernel, home } = await openHttp({}, { listen: false, environment: { AGENT_WEB_BIND_HOST: host } });
  await expect(kernel.resolve('http').listen()).rejects.toMatchObject({ code: 'HTTP_ERR_BIND_REFUSED', message: expect.stringContaining('AGENT_WEB_TOKEN') });
  expect(existsSync(join(home, 'server.json'))).toBe(false);
});

test('with a token from the environment it binds, warns, and still checks hosts', async () => {
  const thing = routes({ key: 'GET /api/thing', handle: () => ({ ok: true }) });
  const { ask, logs, port } = await openHttp({ thing }, { environment: { AGENT_WEB_BIND_HOST: '0.0.0.0', AGENT_WEB_TOKEN: 'a long enough one' } });
  expect(logs.join()).toContain('other machines can reach this server');
  expect((await ask('/api/thing', { headers: { host: `127.0.0.1:${port}` } })).status).toBe(200);
  expect((await ask('/api/thing', { headers: { host: `0.0.0.0:${port}` } })).status).toBe(403);
  expect((await ask('/api/thing', { headers: { host: 'evil.example' } })).status).toBe(403);
});

test('a request in progress gets its reply when the server closes', async () => {
  const gate = new EventEmitter();
  const entered = once(gate, 'entered');
  const slow = routes({
    key: 'GET /api/slow',
    handle: async () => {
      gate.emit('entered');
      await once(gate, 'leave');
      return { ok: true };
    },
  });
  const { ask, kernel } = await openHttp({ slow });
  const asked = ask('/api/slow');
  await entered;
  const closed = kernel.resolve('http').close();
  gate.emit('leave');
  expect((await asked).body).toEqual({ ok: true });
  await closed;
});

test('a request that never ends does not block the close', async () => {
  const gate = new EventEmitter();
  const entered = once(gate, 'entered');
  const stuck = routes({
    key: 'GET /api/stuck',
    handle: () => {
      gate.emit('entered');
      return new Promise(() => undefined);
    },
  });
  const { ask, kernel } = await openHttp({ stuck });
  const asked = ask('/api/stuck').catch(() => 'cut');
  await entered;
  await kernel.resolve('http').close();
  expect(await asked).toBe('cut');
});

test('closing the kernel closes the server and leaves nothing behind', async () => {
  const { kernel, url } = await openHttp();
  expect(await kernel.close()).toEqual([]);
  expect(kernel.trace()).toEqual([]);
  await expect(fetch(url)).rejects.toThrow();
});

test('listens again after a close', async () => {
  const { kernel } = await openHttp();
  await kernel.resolve('http').close();
  const { url } = await kernel.resolve('http').listen();
  expect((await fetch(url)).status).toBe(404);
});

test('slow request headers time out with 408', async () => {
  const { port } = await openHttp();
  const limits: number[] = [];
  const shorten = (message: unknown): void => {
    const { server } = (message as { readonly socket: { readonly server: HttpServer } }).socket;
    limits.push(server.headersTimeout);
    server.headersTimeout = 1;
  };
  subscribe('net.server.socket', shorten);
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET /api/thing HTTP/1.1\r\nHost: localhost:${port}\r\n`);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 [^]*"code":"request_timeout"/);
  unsubscribe('net.server.socket', shorten);
  expect(limits).toContain(10_000);
});
