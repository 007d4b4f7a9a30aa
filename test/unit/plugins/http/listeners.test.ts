// Tests additional listeners of plugins, each with a rights ceiling, and requests without a socket.
import { expect, test } from 'vitest';
import type { HttpAddress, Principal } from 'agent-harness/plugins/http';
import { limitTo } from '../../../../plugins/http/access.ts';
import { openHttp, routes, type OpenHttp } from './open-http.ts';

let http: OpenHttp | undefined;

const guest: Principal = { kind: 'guest', id: 'g', role: 'member', areas: ['things', 'others'] };
const source = { name: 'guests', identify: (token: string) => (token === 'guest' ? guest : undefined), isSetUp: () => false };
const some = routes(
  { key: 'GET /api/who', permission: 'things.read', handle: ({ principal, isLocal }) => ({ ...principal, isLocal }) },
  { key: 'POST /api/thing', permission: 'things.write', schema: {}, handle: ({ peer }) => ({ ok: true, peer }) },
  { key: 'GET /api/others', permission: 'others.read', handle: () => ({ ok: true }) },
  { key: 'GET /api/own', handle: () => ({ ok: true }) },
  { key: 'GET /', auth: 'open', handle: ({ isLocal }) => ({ isLocal }) },
  { key: 'GET /join', auth: 'open', permission: 'things.read', handle: () => ({ ok: true }) },
  { key: 'GET /api/stream', permission: 'things.read', isRaw: true, handle: ({ reply }) => void reply.sse({ data: 'hello' }) },
);

interface Further {
  readonly url: string;
  readonly faults: Error[];
  dispose(): void;
  get(path: string, token?: string, init?: RequestInit): Promise<{ status: number; body: any }>;
}

async function open(listener: object = {}): Promise<Further> {
  let dispose = (): void => undefined;
  let at: HttpAddress = { host: '', port: 0, url: '' };
  const faults: Error[] = [];
  const ceiling = { role: 'viewer', areas: ['things'] };
  const callbacks = { opened: (address: HttpAddress) => void (at = address), failed: (fault: Error) => void faults.push(fault) };
  const guests = {
    register(registry: any) {
      registry.add('token_source', source);
      const added = registry.add('listener', { host: '127.0.0.1', port: 0, ceiling, ...callbacks, ...listener });
      dispose = () => added.dispose();
    },
  };
  http = await openHttp({ some, guests });
  return {
    url: at.url,
    faults,
    dispose: () => dispose(),
    async get(path, token, init = {}) {
      const reply = await fetch(at.url + path, { ...init, headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...init.headers } });
      return { status: reply.status, body: await reply.json() };
    },
  };
}

test('rights are limited to a ceiling and never extended', () => {
  const cut = (rights: object, ceiling: object): object => limitTo(rights as never, ceiling as never);
  expect(cut({ role: 'owner' }, { role: 'viewer', areas: ['a'] })).toEqual({ role: 'viewer', areas: ['a'] });
  expect(cut({ role: 'viewer', areas: ['a', 'b'] }, { role: 'owner', areas: ['b', 'c'] })).toEqual({ role: 'viewer', areas: ['b'] });
  expect(cut({ role: 'member', areas: ['a'] }, { role: 'admin' })).toEqual({ role: 'member', areas: ['a'] });
  expect(cut({ role: 'member' }, { role: 'admin' })).toEqual({ role: 'member' });
});

test('routes above the ceiling return 404 even for the owner, and rights are limited to the ceiling', async () => {
  const { get } = await open();
  const token = http?.token ?? '';
  expect((await get('/api/who', token)).body).toEqual({ kind: 'owner', id: 'owner', role: 'viewer', areas: ['things'], isLocal: false });
  expect((await get('/api/who', 'guest')).body).toMatchObject({ kind: 'guest', role: 'viewer', areas: ['things'] });
  expect((await get('/join')).status).toBe(200);
  for (const path of ['/', '/api/own', '/api/others', '/api/nothing'])
    for (const who of [token, 'guest', undefined]) expect(await get(path, who)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  expect((await http?.ask('/api/others'))?.status).toBe(200);
});

test('closes connections of peers that it does not admit', async () => {
  const peers: string[] = [];
  const admits = (peer: string): boolean => peers.push(peer) > 1;
  const { get } = await open({ admits });
  await expect(get('/join')).rejects.toThrow();
  expect((await get('/join')).status).toBe(200);
  expect(new Set(peers)).toEqual(new Set(['127.0.0.1']));
});

test('checks token, Host and Origin like the main listener', async () => {
  const { get, url } = await open();
  expect((await get('/api/who')).status).toBe(401);
  expect((await get('/api/who', 'wrong')).status).toBe(401);
  expect((await get('/api/who', 'guest', { headers: { origin: 'https://evil.example' } })).body.error.code).toBe('origin_not_allowed');
  expect((await get('/api/who', 'guest', { headers: { origin: http?.url ?? '' } })).body.error.code).toBe('origin_not_allowed');
  expect((await get('/api/who', 'guest', { headers: { origin: url } })).status).toBe(200);
  const elsewhere = await http?.ask('/api/who', { headers: { host: new URL(url).host } });
  expect(elsewhere?.body.error.code).toBe('host_not_allowed');
});

test('ends with its contribution, including its streams, while the main listener continues', async () => {
  const { url, dispose } = await open();
  const stream = (await fetch(`${url}/api/stream`, { headers: { authorization: 'Bearer guest' } })).body?.getReader();
  expect(new TextDecoder().decode((await stream?.read())?.value)).toContain('hello');
  dispose();
  await expect.poll(() => stream?.read()).toMatchObject({ done: true });
  await expect.poll(() => fetch(url).catch(() => 'gone')).toBe('gone');
  expect((await http?.ask('/api/who'))?.status).toBe(200);
});

test('ends with the server', async () => {
  const { url } = await open();
  await http?.kernel.resolve('http').close();
  await expect(fetch(url)).rejects.toThrow();
});

test('a publicly reachable listener is rejected without configured access, and its plugin is notified', async () => {
  const { faults } = await open({ host: '0.0.0.0' });
  expect(faults).toMatchObject([{ code: 'HTTP_ERR_BIND_REFUSED' }]);
  expect(http?.logs.join()).toContain('an additional listener failed');
  expect((await http?.ask('/api/who'))?.status).toBe(200);
});

test('a request without a socket passes the same permission, schema and reply checks, even before listening', async () => {
  http = await openHttp({ some }, { listen: false });
  const service = http.kernel.resolve('http');
  const as = async (principal: Principal, method: 'GET' | 'POST', path: string, body?: unknown): Promise<any> => {
    const reply = await service.dispatch({ method, path, body }, { principal });
    return [reply.status, JSON.parse(reply.body.toString())];
  };
  expect(await as(guest, 'GET', '/api/who')).toEqual([200, { ...guest, isLocal: false }]);
  expect(await as(guest, 'POST', '/api/thing', {})).toEqual([200, { ok: true, peer: '0.0.0.0' }]);
  expect(await as(guest, 'POST', '/api/thing', { more: 1 })).toMatchObject([400, { error: { code: 'invalid_request' } }]);
  expect(await as(guest, 'POST', '/api/thing', Buffer.from('{}'))).toMatchObject([415, {}]);
  expect(await as(guest, 'GET', '/api/own')).toMatchObject([403, { error: { code: 'forbidden' } }]);
  expect(await as(guest, 'GET', '/api/none')).toMatchObject([404, { error: { code: 'not_found' } }]);
  expect(await as({ kind: 'owner', id: 'owner', role: 'owner' }, 'GET', '/api/own')).toEqual([200, { ok: true }]);
  expect(service.address()).toBeUndefined();
});

test('a token in a request without a socket has no effect', async () => {
  http = await openHttp({ some }, { listen: false });
  const { token } = http;
  const asked = { method: 'GET', path: `/api/own?authToken=${token}`, headers: { authorization: `Bearer ${token}`, host: 'evil.example' } } as const;
  expect((await http.kernel.resolve('http').dispatch(asked, { principal: guest })).status).toBe(403);
});

test('aborting a request without a socket rejects it and aborts its route, unless already answered', async () => {
  const signals: AbortSignal[] = [];
  const stop = new AbortController();
  const both = routes(
    { key: 'GET /api/done', permission: 'things.read', handle: ({ signal }: any) => void signals.push(signal) },
    {
      key: 'POST /api/stuck',
      permission: 'things.read',
      schema: { body: {} },
      handle: ({ signal }: any) => {
        signals.push(signal);
        stop.abort(new Error('enough'));
        return new Promise(() => undefined);
      },
    },
  );
  http = await openHttp({ both }, { listen: false });
  const service = http.kernel.resolve('http');
  expect((await service.dispatch({ method: 'GET', path: '/api/done' }, { principal: guest })).status).toBe(200);
  const stuck = service.dispatch({ method: 'POST', path: '/api/stuck', body: {}, signal: stop.signal }, { principal: guest });
  await expect(stuck).rejects.toThrow('enough');
  await expect.poll(() => signals.map((signal) => signal.aborted)).toEqual([false, true]);
});
