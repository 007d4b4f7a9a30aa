import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import * as Type from 'typebox';
import { expect, test } from 'vitest';
import { createWebToken } from '../../../../plugins/http/web-token.ts';
import { openStorage } from '../storage/open-storage.ts';
import { openHttp, routes, type OpenHttp, type OpenOptions } from './open-http.ts';

let http: OpenHttp | undefined;

async function open(options?: OpenOptions): Promise<OpenHttp> {
  const some = routes(
    { key: 'GET /api/thing', handle: () => ({ ok: true }) },
    { key: 'GET /api/open', auth: 'open', handle: ({ principal }) => ({ isKnown: principal !== undefined }) },
    { key: 'GET /api/sign-in', auth: 'open', schema: { query: Type.Object({ token: Type.String() }) }, handle: ({ query }: any) => query },
    { key: 'GET /api/stream', isRaw: true, handle: ({ reply }) => void reply.sse({ data: 'hello' }) },
  );
  return (http = await openHttp({ some }, options));
}

const wrong = (n = 0): Record<string, string> => ({ authorization: `Bearer ${'0'.repeat(60)}${String(n).padStart(4, '0')}` });

test('the token is 64 hex digits in a file readable only by its owner', async () => {
  const { home, token } = await open();
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  expect((await readFile(join(home, 'web_token'), 'utf8')).trim()).toBe(token);
  expect((await stat(join(home, 'web_token'))).mode & 0o777).toBe(0o600);
});

test.each([
  ['Authorization', (token: string) => ({ headers: { authorization: `Bearer ${token}` } })],
  ['x-app-token', (token: string) => ({ headers: { 'x-app-token': token } })],
  ['authToken', (token: string) => ({ query: `?authToken=${token}` })],
  ['token', (token: string) => ({ query: `?token=${token}` })],
])('accepts the token from %s', async (_, carry) => {
  const { ask, token } = await open();
  const { headers, query = '' } = carry(token) as { headers?: Record<string, string>; query?: string };
  expect((await ask(`/api/thing${query}`, { token: false, ...(headers ? { headers } : {}) })).status).toBe(200);
});

test.each([
  ['no token', {}],
  ['an empty token', { authorization: 'Bearer ' }],
  ['another authorization scheme', { authorization: 'Basic dXNlcjpwYXNz' }],
  ['a wrong token', wrong()],
])('returns 401 for a request with %s', async (_, headers) => {
  const answer = await (await open()).ask('/api/thing', { token: false, headers });
  expect(answer).toMatchObject({ status: 401, body: { error: { code: 'unauthorized', requestId: expect.any(String) } } });
});

test('an open route detects whether a valid token was sent', async () => {
  const { ask } = await open();
  expect((await ask('/api/open')).body).toEqual({ isKnown: true });
  expect((await ask('/api/open', { token: false })).body).toEqual({ isKnown: false });
});

test('a route field named token is not read as the web token', async () => {
  const { ask } = await open();
  for (let n = 0; n < 12; n++) expect((await ask('/api/sign-in?token=license', { token: false })).body).toEqual({ token: 'license' });
  expect((await ask('/api/thing')).status).toBe(200);
});

test('wrong tokens on an open route count as attempts', async () => {
  const { ask } = await open();
  for (let n = 0; n < 10; n++) expect((await ask('/api/open', { headers: wrong(n) })).body).toEqual({ isKnown: false });
  expect((await ask('/api/open', { headers: wrong(10) })).status).toBe(429);
});

test('after too many attempts a correct short token gets 429 on new connections, but not on known ones', async () => {
  const { ask } = await open({ environment: { AGENT_WEB_TOKEN: '1234' } });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect((await ask('/api/thing', { agent })).status).toBe(200);
  for (let n = 0; n < 10; n++) await ask('/api/thing', { headers: wrong(n) });
  expect((await ask('/api/thing')).status).toBe(429);
  expect((await ask('/api/thing', { agent })).status).toBe(200);
  agent.destroy();
});

test('the environment sets a token of any length, which cannot be rotated', async () => {
  const { ask, token, kernel } = await open({ environment: { AGENT_WEB_TOKEN: 'pw' } });
  expect(token).toBe('pw');
  expect((await ask('/api/thing')).status).toBe(200);
  await expect(kernel.resolve('webToken').rotate()).rejects.toMatchObject({ code: 'HTTP_ERR_TOKEN_FIXED', status: 409 });
});

test('replaces a stored token shorter than 16 characters', async () => {
  const first = await open();
  const { home } = first;
  await first.kernel.close();
  await writeFile(join(home, 'web_token'), 'short');
  expect((await open({ home })).token).toMatch(/^[0-9a-f]{64}$/);
});

test('the server does not listen if its token cannot be written', async () => {
  const { kernel, home } = await open({ listen: false });
  await mkdir(join(home, 'web_token'));
  await expect(kernel.resolve('http').listen()).rejects.toThrow(/web_token/);
});

test('the token survives a restart', async () => {
  const { home, token, kernel } = await open();
  await kernel.close();
  expect((await open({ home })).token).toBe(token);
});

async function openStream({ url, token }: OpenHttp): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const reader = (await fetch(`${url}/api/stream?authToken=${token}`)).body?.getReader();
  if (!reader) throw new Error('no stream');
  expect(new TextDecoder().decode((await reader.read()).value)).toContain('data: hello');
  return reader;
}

test('a rotation activates the new token immediately and ends open streams', async () => {
  const opened = await open();
  const stream = await openStream(opened);
  const events: string[] = [];
  opened.kernel.emitter.on('token_rotated', () => void events.push('token_rotated'));
  const next = await opened.kernel.resolve('webToken').rotate();
  expect(await stream.read()).toMatchObject({ done: true });
  expect(events).toEqual(['token_rotated']);
  expect((await opened.ask('/api/thing')).status).toBe(401);
  expect((await opened.ask('/api/thing', { headers: { authorization: `Bearer ${next}` } })).status).toBe(200);
});

test('a rotation by another process is detected', async () => {
  const opened = await open();
  const stream = await openStream(opened);
  const next = 'f'.repeat(64);
  await opened.kernel.resolve('storage').writeFile(join(opened.home, 'web_token'), next);
  expect(await stream.read()).toMatchObject({ done: true });
  expect((await opened.ask('/api/thing', { headers: { authorization: `Bearer ${next}` } })).status).toBe(200);
});

test('processes that create the token of one home concurrently end up with the same token', async () => {
  const { home } = await open();
  await rm(join(home, 'web_token'));
  const stores = await Promise.all(Array.from({ length: 8 }, () => openStorage(home)));
  const tokens = stores.map(({ storage }) =>
    createWebToken({ home, storage, fixed: undefined, makeError: () => new Error('x') as never, onRotated: () => undefined }),
  );
  const made = await Promise.all(tokens.map((one) => one.current()));
  expect(new Set(made)).toEqual(new Set([(await readFile(join(home, 'web_token'), 'utf8')).trim()]));
  for (const { close } of stores) await close();
});

test('a further token source is queried', async () => {
  const phone = { kind: 'device', id: 'a', role: 'owner' };
  const identify = (token: string): object | undefined => (token === 'phone' ? phone : undefined);
  const pairing = { register: (registry: any) => registry.add('token_source', { name: 'pairing', identify, isSetUp: () => true }) };
  http = await openHttp({ pairing, some: routes({ key: 'GET /api/thing', handle: () => ({ ok: true }) }) });
  expect((await http.ask('/api/thing', { headers: { authorization: 'Bearer phone' } })).status).toBe(200);
  expect((await http.ask('/api/thing', { headers: { authorization: 'Bearer fridge' } })).status).toBe(401);
});

test('the log never contains a token', async () => {
  const some = routes({
    key: 'GET /api/broken/:id',
    handle: () => {
      throw new Error('out of order');
    },
  });
  http = await openHttp({ some });
  await http.ask(`/api/broken/7?authToken=${http.token}`, { token: false });
  expect(http.logs.join()).toContain('GET /api/broken/:id failed');
  expect(http.logs.join()).not.toContain(http.token);
  expect(http.logs.join()).not.toContain('authToken');
});
